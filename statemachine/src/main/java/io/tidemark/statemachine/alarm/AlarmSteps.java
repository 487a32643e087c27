package io.tidemark.statemachine.alarm;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The alarms as the entry being applied changes them. Thread: apply. */
public final class AlarmSteps {
  private static final Comparator<AlarmMember> ORDER =
      Comparator.comparing(AlarmMember::getMemberID, Long::compareUnsigned)
          .thenComparingInt(AlarmMember::getAlarmValue);

  private final EntryBatch batch;
  private Alarms alarms;

  public AlarmSteps(EntryBatch batch, Alarms alarms) {
    this.batch = batch;
    this.alarms = alarms;
  }

  /** The alarms after the commands so far. */
  public Alarms alarms() {
    return alarms;
  }

  /**
   * Carries out a request and gives the alarms that its answer lists: those asked for, the one that
   * is raised now, or the one that was taken back.
   */
  public List<AlarmMember> run(AlarmRequest request) {
    return switch (request.getAction()) {
      case GET -> alarms.of(request.getAlarm());
      case ACTIVATE -> raise(named(request));
      case DEACTIVATE -> takeBack(named(request));
      case UNRECOGNIZED -> List.of();
    };
  }

  /** Raises an alarm, unless it stands already; gives it back. */
  public List<AlarmMember> raise(AlarmMember alarm) {
    if (alarm.getAlarm() == AlarmType.NONE) {
      return List.of();
    }
    if (!alarms.all().contains(alarm)) {
      batch.tablePut(Table.ALARM, Alarms.key(alarm), ByteString.EMPTY);
      List<AlarmMember> more = new ArrayList<>(alarms.all());
      more.add(alarm);
      more.sort(ORDER);
      alarms = new Alarms(more);
    }
    return List.of(alarm);
  }

  private List<AlarmMember> takeBack(AlarmMember alarm) {
    if (!alarms.all().contains(alarm)) {
      return List.of();
    }
    batch.tableDelete(Table.ALARM, Alarms.key(alarm));
    alarms = new Alarms(alarms.all().stream().filter(raised -> !raised.equals(alarm)).toList());
    return List.of(alarm);
  }

  private static AlarmMember named(AlarmRequest request) {
    return AlarmMember.newBuilder()
        .setMemberID(request.getMemberID())
        .setAlarmValue(request.getAlarmValue())
        .build();
  }
}
