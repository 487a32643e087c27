package io.tidemark.it.nemesis;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.rig.DataDirectory;
import io.tidemark.it.rig.ProcessCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A member is down until the others' logs begin after its own end, under puts that hurry them: when
 * it comes back it has to take in a snapshot.
 */
final class ForcedInstall implements Fault {
  /** All keys of the puts begin with this. */
  private static final String PREFIX = "bulk/";

  private static final int WRITERS = 4;
  private static final int KEYS = 8;
  private static final ByteString VALUE = ByteString.copyFrom(new byte[16 << 10]);
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** Entries beyond the last of the member that is down which the others must have given up. */
  private static final int MARGIN = 20;

  private final ProcessCluster cluster;
  private final int victim;
  private long begins;

  ForcedInstall(ProcessCluster cluster, int victim) {
    this.cluster = cluster;
    this.victim = victim;
  }

  @Override
  public void inflict() {
    long last = cluster.client(victim).status().answer().getRaftIndex();
    cluster.kill(victim);
    cluster.awaitLeader(cluster.allBut(victim));
    List<Integer> others = List.copyOf(cluster.allBut(victim));
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      MemberClient client = cluster.client(others.get(i % others.size()));
      String name = PREFIX + i + "/";
      Thread writer = new Thread(() -> write(client, name), "it-bulk-" + i);
      writer.setDaemon(true);
      writer.start();
      writers.add(writer);
    }
    try {
      for (int other : others) {
        Await.until(
            "the log of m" + other + " to begin after entry " + last,
            LIMIT,
            () -> DataDirectory.of(cluster, other).oldestLogEntry() > last + MARGIN);
        begins = DataDirectory.of(cluster, other).oldestLogEntry();
      }
    } finally {
      writers.forEach(Thread::interrupt);
    }
  }

  private static void write(MemberClient client, String name) {
    MemberClient brief = client.patient(Duration.ofSeconds(2));
    for (int n = 0; !Thread.currentThread().isInterrupted(); n++) {
      ByteString key = ByteString.copyFromUtf8(name + n % KEYS);
      var unused = brief.put(PutRequest.newBuilder().setKey(key).setValue(VALUE).build());
    }
  }

  @Override
  public Set<Integer> victims() {
    return Set.of(victim);
  }

  @Override
  public boolean unseats() {
    return false;
  }

  @Override
  public String proof() {
    return begins > 0 ? "logs of others begin at " + begins : "";
  }

  @Override
  public void heal() {
    cluster.member(victim).start();
  }

  @Override
  public String confirm(String proof) {
    long installs = cluster.metrics(victim).get("tidemark_snapshot_installs_total");
    return installs == 0 ? "" : proof + ", snapshots installed: " + installs;
  }
}
