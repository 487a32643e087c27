package io.tidemark.it.verdict;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.rig.Replicas;
import java.time.Duration;
import java.util.List;

/**
 * What one member held in the end.
 *
 * @param revision as of which
 * @param compactRevision up to which its history was compacted
 * @param hash over its keys and history
 * @param pairs all of them
 */
public record MemberState(
    int member, long revision, long compactRevision, String hash, List<KeyValue> pairs) {
  private static final ByteString EVERYTHING = ByteString.copyFrom(new byte[] {0});
  private static final Duration CATCH_UP = Duration.ofSeconds(30);

  public MemberState {
    pairs = List.copyOf(pairs);
  }

  /** Asks a member of a cluster that is quiet. Blocks. */
  public static MemberState of(int member, MemberClient client, long revision) {
    Await.until(
        "revision " + revision + " on member " + member,
        CATCH_UP,
        () -> Replicas.localRevision(client) >= revision);
    var pairs =
        client.range(
            RangeRequest.newBuilder()
                .setKey(EVERYTHING)
                .setRangeEnd(EVERYTHING)
                .setRevision(revision)
                .setSerializable(true)
                .build());
    var hash = client.hashKv(revision).answer();
    return new MemberState(
        member,
        revision,
        hash.getCompactRevision(),
        Integer.toUnsignedString(hash.getHash()),
        pairs.answer().getKvsList());
  }
}
