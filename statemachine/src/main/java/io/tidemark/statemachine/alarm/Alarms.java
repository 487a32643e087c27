package io.tidemark.statemachine.alarm;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The alarms that are raised, ascending by unsigned member id, then type. Immutable.
 *
 * <p>A row of the ALARM table has no value; its key is the member id and the number of the type, 8
 * and 4 bytes big-endian.
 */
public record Alarms(List<AlarmMember> all) {
  public static final Alarms NONE = new Alarms(List.of());

  public Alarms {
    all = List.copyOf(all);
  }

  /** Those of a view. */
  public static Alarms in(ReadView view) {
    List<AlarmMember> found = new ArrayList<>();
    view.tableScan(Table.ALARM, (key, empty) -> found.add(alarm(key)));
    return new Alarms(found);
  }

  /** Whether a member has raised one of this type. */
  public boolean raised(AlarmType type) {
    return all.stream().anyMatch(alarm -> alarm.getAlarm() == type);
  }

  /** Those of a type; NONE means all. */
  public List<AlarmMember> of(AlarmType type) {
    return type == AlarmType.NONE
        ? all
        : all.stream().filter(alarm -> alarm.getAlarm() == type).toList();
  }

  static ByteString key(AlarmMember alarm) {
    byte[] key = new byte[Long.BYTES + Integer.BYTES];
    ByteBuffer.wrap(key).putLong(alarm.getMemberID()).putInt(alarm.getAlarmValue());
    return UnsafeByteOperations.unsafeWrap(key);
  }

  private static AlarmMember alarm(ByteString key) {
    ByteBuffer bytes = key.asReadOnlyByteBuffer();
    return AlarmMember.newBuilder()
        .setMemberID(bytes.getLong())
        .setAlarmValue(bytes.getInt())
        .build();
  }
}
