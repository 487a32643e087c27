package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code alarm list|disarm}. */
@Command(name = "alarm", description = "Alarms.")
final class AlarmCommand {
  private AlarmCommand() {}

  static AlarmCommand group() {
    return new AlarmCommand();
  }

  private static AlarmResponse ask(Connection connection, AlarmRequest request) {
    return connection.limited(MaintenanceGrpc.newBlockingStub(connection.channel())).alarm(request);
  }

  private static void print(Session session, AlarmResponse response) {
    session.printMessage(
        response,
        () ->
            response
                .getAlarmsList()
                .forEach(
                    alarm ->
                        session
                            .out()
                            .print(
                                "memberID:"
                                    + Long.toUnsignedString(alarm.getMemberID())
                                    + " alarm:"
                                    + alarm.getAlarm().name()
                                    + "\n")));
  }

  /** Which alarms are raised. */
  @Command(name = "list", description = "The alarms that are raised.")
  static final class ListCommand implements Callable<Integer> {
    private final Session session;

    ListCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      try (Connection connection = session.connect()) {
        print(session, ask(connection, AlarmRequest.getDefaultInstance()));
      }
      return 0;
    }
  }

  /** Takes all alarms back. */
  @Command(name = "disarm", description = "Take all alarms back.")
  static final class Disarm implements Callable<Integer> {
    private final Session session;

    Disarm(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      try (Connection connection = session.connect()) {
        AlarmResponse raised = ask(connection, AlarmRequest.getDefaultInstance());
        AlarmResponse.Builder disarmed = AlarmResponse.newBuilder();
        for (AlarmMember alarm : raised.getAlarmsList()) {
          AlarmResponse one =
              ask(
                  connection,
                  AlarmRequest.newBuilder()
                      .setAction(AlarmAction.DEACTIVATE)
                      .setMemberID(alarm.getMemberID())
                      .setAlarm(alarm.getAlarm())
                      .build());
          disarmed.setHeader(one.getHeader()).addAllAlarms(one.getAlarmsList());
        }
        print(session, disarmed.build());
      }
      return 0;
    }
  }
}
