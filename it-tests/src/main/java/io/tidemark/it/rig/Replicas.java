package io.tidemark.it.rig;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.HashKVResponse;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares what members hold: every pair with every field, every event there ever was, and the hash
 * that a member computes over its own store. Blocks; the cluster should be quiet.
 */
public final class Replicas {
  private static final ByteString EVERYTHING = ByteString.copyFrom(new byte[] {0});
  private static final Duration CATCH_UP = Duration.ofSeconds(30);

  private Replicas() {}

  /** One member's own state at one revision. */
  public record State(long revision, List<KeyValue> pairs, List<Event> events, String hash) {}

  /**
   * The state that all members share.
   *
   * @throws AssertionError when they don't
   */
  public static State agreed(ProcessCluster cluster) {
    long revision = cluster.client(0).get("health").answer().getHeader().getRevision();
    List<State> states = new ArrayList<>();
    for (MemberClient client : cluster.clients()) {
      states.add(state(client, revision));
    }
    State first = states.get(0);
    for (int i = 1; i < states.size(); i++) {
      same("pairs", i, first.pairs(), states.get(i).pairs());
      same("events", i, first.events(), states.get(i).events());
      same("hash", i, first.hash(), states.get(i).hash());
    }
    return first;
  }

  /** One member's state, once it has applied the revision. */
  public static State state(MemberClient client, long revision) {
    Await.until(
        "revision " + revision + " on a member", CATCH_UP, () -> localRevision(client) >= revision);
    RangeResponse pairs = client.range(everything(revision)).answer();
    return new State(
        revision, pairs.getKvsList(), history(client, revision), hash(client, revision));
  }

  /** The newest revision in a member's own state; 0 when it does not answer. */
  public static long localRevision(MemberClient client) {
    Attempt<RangeResponse> answer = client.getLocal("health");
    return answer.answered() ? answer.answer().getHeader().getRevision() : 0;
  }

  /** Whether a member's own state still holds a revision. */
  public static boolean readableLocally(MemberClient client, long revision) {
    return client.range(everything(revision)).answered();
  }

  /** All events of a store that was never compacted, from a watch on this member. */
  public static List<Event> history(MemberClient client, long until) {
    try (WatchProbe probe = client.watch()) {
      if (until < 2) {
        return List.of();
      }
      probe.create(everythingFrom(1));
      probe.awaitRevision(0, until);
      return probe.events(0);
    }
  }

  /** A watch on every key, with previous pairs. */
  public static WatchCreateRequest everythingFrom(long revision) {
    return WatchCreateRequest.newBuilder()
        .setKey(EVERYTHING)
        .setRangeEnd(EVERYTHING)
        .setStartRevision(revision)
        .setPrevKv(true)
        .build();
  }

  private static RangeRequest everything(long revision) {
    return RangeRequest.newBuilder()
        .setKey(EVERYTHING)
        .setRangeEnd(EVERYTHING)
        .setRevision(revision)
        .setSerializable(true)
        .build();
  }

  /** A member without the call answers the same text as the others, so that it can't hide one. */
  private static String hash(MemberClient client, long revision) {
    Attempt<HashKVResponse> answer = client.hashKv(revision);
    return answer.answered()
        ? Integer.toUnsignedString(answer.answer().getHash())
        : answer.outcome();
  }

  private static void same(String what, int member, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError(
          what
              + " of member "
              + member
              + " differ\nm0: "
              + expected
              + "\nm"
              + member
              + ": "
              + actual);
    }
  }
}
