package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.statemachine.backup.bbolt.BboltFile;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;

/** Bucket {@code meta}: position in the log, members that vote, how far history is compacted. */
final class MetaBucket implements BucketRows {
  static final String NAME = "meta";
  private static final String FINISHED_COMPACTION = "finishedCompactRev";
  private static final String SCHEDULED_COMPACTION = "scheduledCompactRev";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void write(ReadView view, Out out) throws IOException {
    put(out, "confState", ByteString.copyFromUtf8(voters(MemberTable.members(view))));
    put(out, "consistent_index", number(Math.max(0, view.applied().index())));
    if (view.compactRevision() > 0) {
      ByteString revision = KeyBucket.revisionKey(view.compactRevision(), 0, false);
      put(out, FINISHED_COMPACTION, revision);
      put(out, SCHEDULED_COMPACTION, revision);
    }
    put(out, "term", number(view.applied().term()));
  }

  @Override
  public void read(ByteString key, ByteString value, StoreLoad into) {
    // Positions and voters are the old cluster's; compaction is asked for beforehand.
  }

  /**
   * The oldest revision that a file wants readable; -1 for all. An unfinished compaction counts.
   */
  static long compactRevision(BboltFile file) throws IOException {
    long[] newest = {-1};
    file.entries(
        NAME,
        (key, value) -> {
          String name = key.toStringUtf8();
          if (name.equals(FINISHED_COMPACTION) || name.equals(SCHEDULED_COMPACTION)) {
            if (value.size() < Long.BYTES) {
              throw new DamagedFileException(name + " is no revision");
            }
            newest[0] = Math.max(newest[0], value.asReadOnlyByteBuffer().getLong());
          }
        });
    return newest[0];
  }

  private static String voters(List<Member> members) {
    String ids =
        members.stream()
            .filter(member -> !member.getIsLearner())
            .map(member -> Long.toUnsignedString(member.getID()))
            .collect(Collectors.joining(","));
    return "{\"voters\":[" + ids + "],\"auto_leave\":false}";
  }

  private static void put(Out out, String name, ByteString value) throws IOException {
    out.put(ByteString.copyFromUtf8(name), value);
  }

  private static ByteString number(long value) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).putLong(value);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
