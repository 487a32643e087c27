package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code endpoint status} and {@code endpoint health}: one question to each endpoint. */
@Command(name = "endpoint", description = "Single members.")
final class EndpointCommand {
  private EndpointCommand() {}

  static EndpointCommand group() {
    return new EndpointCommand();
  }

  /** The endpoints given, or all of the cluster that they belong to. */
  static List<Endpoint> endpoints(Session session, boolean cluster) {
    if (!cluster) {
      return session.endpoints();
    }
    try (Connection connection = session.connect()) {
      return connection
          .limited(ClusterGrpc.newBlockingStub(connection.channel()))
          .memberList(MemberListRequest.newBuilder().setLinearizable(true).build())
          .getMembersList()
          .stream()
          .map(Member::getClientURLsList)
          .flatMap(List::stream)
          .map(Endpoint::parse)
          .toList();
    }
  }

  /** Version, sizes, leadership, log positions and lag. */
  @Command(name = "status", description = "State of each endpoint, with its lag.")
  static final class StatusCommand implements Callable<Integer> {
    private final Session session;

    @Option(names = "--cluster", description = "All endpoints of the member list.")
    boolean cluster;

    StatusCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      Printer printer = session.printer();
      List<EndpointStatus> answers = new ArrayList<>();
      int exitCode = 0;
      for (Endpoint endpoint : endpoints(session, cluster)) {
        try (Connection connection = session.connect(endpoint)) {
          StatusResponse status =
              connection
                  .limited(MaintenanceGrpc.newBlockingStub(connection.channel()))
                  .status(StatusRequest.getDefaultInstance());
          EndpointStatus.Lag lag = new LagQuestion(session.options()).ask(endpoint);
          answers.add(new EndpointStatus(endpoint.given(), status, lag));
        } catch (StatusRuntimeException e) {
          session
              .err()
              .println(
                  "Failed to get the status of endpoint "
                      + endpoint.given()
                      + " ("
                      + Failures.message(e)
                      + ")");
          exitCode = CommandFailure.ERROR;
        }
      }
      printer.status(answers);
      return exitCode;
    }
  }

  /** Whether a linearizable read through each endpoint succeeds. */
  @Command(name = "health", description = "Whether each endpoint can answer.")
  static final class HealthCommand implements Callable<Integer> {
    private final Session session;

    @Option(names = "--cluster", description = "All endpoints of the member list.")
    boolean cluster;

    HealthCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      Printer printer = session.printer();
      List<EndpointHealth> answers = endpoints(session, cluster).stream().map(this::probe).toList();
      printer.health(answers);
      if (!answers.stream().allMatch(EndpointHealth::healthy)) {
        session.out().flush();
        throw new CommandFailure(CommandFailure.ERROR, "unhealthy cluster");
      }
      return 0;
    }

    private EndpointHealth probe(Endpoint endpoint) {
      long began = System.nanoTime();
      String error = "";
      try (Connection connection = session.connect(endpoint)) {
        connection
            .limited(KVGrpc.newBlockingStub(connection.channel()))
            .range(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("health")).build());
        long took = System.nanoTime() - began;
        AlarmResponse alarms =
            connection
                .limited(MaintenanceGrpc.newBlockingStub(connection.channel()))
                .alarm(AlarmRequest.getDefaultInstance());
        error = described(alarms.getAlarmsList());
        return new EndpointHealth(endpoint.given(), Duration.ofNanos(took), error);
      } catch (StatusRuntimeException e) {
        // Whoever may not read the key has still been answered by a healthy member. A member that
        // does not know the alarm service has answered the read.
        boolean answered =
            e.getStatus().getCode() == Status.Code.PERMISSION_DENIED
                || e.getStatus().getCode() == Status.Code.UNIMPLEMENTED;
        error = answered ? "" : Failures.message(e);
        return new EndpointHealth(
            endpoint.given(), Duration.ofNanos(System.nanoTime() - began), error);
      }
    }

    private static String described(List<AlarmMember> alarms) {
      return alarms.isEmpty()
          ? ""
          : alarms.stream()
              .map(alarm -> alarm.getAlarm().name())
              .collect(Collectors.joining(" ", "Active Alarm(s): ", ""));
    }
  }
}
