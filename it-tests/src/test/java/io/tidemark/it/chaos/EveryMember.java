package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether every member holds what {@link FreshKeys} was told is written: page by page, for stores
 * that are too large to compare whole.
 */
final class EveryMember {
  private static final Duration CATCH_UP = Duration.ofSeconds(120);

  /** What one page of a comparison may carry. */
  private static final int PAGE_BYTES = 8 << 20;

  private EveryMember() {}

  /** Equal hashes, equal pairs, and among them each acknowledged one as it was written. */
  static void assertHolds(
      ProcessCluster cluster, List<FreshKeys.Written> acknowledged, int valueBytes) {
    long revision = cluster.client(0).get("health").answer().getHeader().getRevision();
    List<Integer> hashes = new ArrayList<>();
    List<Map<String, KeyValue>> held = new ArrayList<>();
    for (MemberClient member : cluster.clients()) {
      Await.until(
          "revision " + revision + " on a member",
          CATCH_UP,
          () -> Replicas.localRevision(member) >= revision);
      hashes.add(member.hashKv(revision).answer().getHash());
      held.add(bare(member, revision, valueBytes));
    }
    assertEquals(Collections.nCopies(hashes.size(), hashes.get(0)), hashes);
    for (int member = 1; member < held.size(); member++) {
      int other = member;
      assertTrue(held.get(0).equals(held.get(other)), () -> "m0 and m" + other + " differ");
    }
    for (FreshKeys.Written written : acknowledged) {
      KeyValue expected =
          KeyValue.newBuilder()
              .setKey(ByteString.copyFromUtf8(written.key()))
              .setCreateRevision(written.revision())
              .setModRevision(written.revision())
              .setVersion(1)
              .build();
      assertEquals(expected, held.get(0).get(written.key()));
    }
  }

  /** All pairs of a member; each value is compared with the one written, and left out. */
  private static Map<String, KeyValue> bare(MemberClient member, long revision, int valueBytes) {
    Map<String, KeyValue> all = new HashMap<>();
    ByteString from = ByteString.copyFrom(new byte[] {0});
    while (true) {
      List<KeyValue> page =
          member
              .range(
                  RangeRequest.newBuilder()
                      .setKey(from)
                      .setRangeEnd(ByteString.copyFrom(new byte[] {0}))
                      .setRevision(revision)
                      .setLimit(Math.min(5_000, PAGE_BYTES / valueBytes))
                      .setSerializable(true)
                      .build())
              .answer()
              .getKvsList();
      if (page.isEmpty()) {
        return all;
      }
      for (KeyValue pair : page) {
        String key = pair.getKey().toStringUtf8();
        assertTrue(pair.getValue().equals(FreshKeys.value(key, valueBytes)), key);
        assertEquals(1, pair.getVersion(), key);
        all.put(key, pair.toBuilder().clearValue().build());
        from = pair.getKey().concat(ByteString.copyFrom(new byte[] {0}));
      }
    }
  }
}
