package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.statemachine.alarm.Alarms;
import java.io.IOException;
import java.util.List;

/**
 * Bucket {@code alarm}: a serialized {@link AlarmMember} to nothing. An alarm speaks of a member of
 * the old cluster, so a new one doesn't take it over.
 */
final class AlarmBucket implements BucketRows {
  @Override
  public String name() {
    return "alarm";
  }

  @Override
  public void write(ReadView view, Out out) throws IOException {
    List<ByteString> raised =
        Alarms.in(view).all().stream()
            .map(AlarmMember::toByteString)
            .sorted(ByteString.unsignedLexicographicalComparator())
            .toList();
    for (ByteString alarm : raised) {
      out.put(alarm, ByteString.EMPTY);
    }
  }

  @Override
  public void read(ByteString key, ByteString value, StoreLoad into) {
    // the old cluster's
  }
}
