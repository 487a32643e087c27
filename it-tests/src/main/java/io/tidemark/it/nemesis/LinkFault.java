package io.tidemark.it.nemesis;

import io.tidemark.it.proxy.PeerLinks;
import io.tidemark.it.rig.ProcessCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** What happens to the links between members. */
final class LinkFault implements Fault {
  private static final Duration RESEND = Duration.ofMillis(200);

  private final PeerLinks links;
  private final Set<Integer> victims;
  private final boolean unseats;
  private final Consumer<PeerLinks> change;
  private long before;

  private LinkFault(
      PeerLinks links, Set<Integer> victims, boolean unseats, Consumer<PeerLinks> change) {
    this.links = links;
    this.victims = Set.copyOf(victims);
    this.unseats = unseats;
    this.change = change;
  }

  static Fault isolate(ProcessCluster cluster, int victim) {
    return new LinkFault(cluster.links(), Set.of(victim), true, links -> links.isolate(victim));
  }

  static Fault oneWay(ProcessCluster cluster, int victim, Random random) {
    boolean mute = random.nextBoolean();
    return new LinkFault(
        cluster.links(),
        Set.of(victim),
        true,
        links -> {
          if (mute) {
            links.mute(victim);
          } else {
            links.deafen(victim);
          }
        });
  }

  /** The victim alone in the middle, the others in two halves. */
  static Fault bridge(ProcessCluster cluster, int victim, Random random) {
    List<Integer> others = shuffled(cluster.allBut(victim), random);
    int half = others.size() / 2;
    return new LinkFault(
        cluster.links(),
        Set.of(victim),
        false,
        links -> cutBetween(links, others.subList(0, half), others.subList(half, others.size())));
  }

  /** The victim in the minority. */
  static Fault split(ProcessCluster cluster, int victim, Random random) {
    List<Integer> others = shuffled(cluster.allBut(victim), random);
    int fellows = (cluster.size() - 1) / 2 - 1;
    List<Integer> minority = new ArrayList<>(others.subList(0, fellows));
    minority.add(victim);
    return new LinkFault(
        cluster.links(),
        Set.copyOf(minority),
        true,
        links -> cutBetween(links, minority, others.subList(fellows, others.size())));
  }

  static Fault delay(ProcessCluster cluster, int victim, Random random) {
    Duration there = Duration.ofMillis(5 + random.nextInt(150));
    Duration back = Duration.ofMillis(random.nextInt(150));
    return new LinkFault(
        cluster.links(),
        Set.of(victim),
        false,
        links ->
            cluster
                .allBut(victim)
                .forEach(
                    other -> {
                      links.delay(victim, other, there);
                      links.delay(other, victim, back);
                    }));
  }

  static Fault loss(ProcessCluster cluster, Random random) {
    double chance = 0.02 + random.nextDouble() * 0.15;
    long seed = random.nextLong();
    Set<Integer> all = Set.copyOf(IntStream.range(0, cluster.size()).boxed().toList());
    return new LinkFault(
        cluster.links(),
        all,
        false,
        links -> {
          for (int one : all) {
            for (int other : all) {
              if (one < other) {
                links.lose(one, other, chance, RESEND, seed + 10L * one + other);
              }
            }
          }
        });
  }

  private static List<Integer> shuffled(Set<Integer> members, Random random) {
    List<Integer> order = new ArrayList<>(members.stream().sorted().toList());
    Collections.shuffle(order, random);
    return order;
  }

  private static void cutBetween(PeerLinks links, List<Integer> ones, List<Integer> others) {
    ones.forEach(one -> others.forEach(other -> links.cut(one, other)));
  }

  @Override
  public void inflict() {
    before = links.touched();
    change.accept(links);
  }

  @Override
  public Set<Integer> victims() {
    return victims;
  }

  @Override
  public boolean unseats() {
    return unseats;
  }

  @Override
  public String proof() {
    long touched = links.touched() - before;
    return touched == 0 ? "" : touched + " chunks between members held back";
  }

  @Override
  public void heal() {
    links.heal();
  }
}
