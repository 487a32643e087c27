package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.v3electionpb.CampaignRequest;
import io.tidemark.api.v3electionpb.CampaignResponse;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3electionpb.LeaderRequest;
import io.tidemark.api.v3electionpb.LeaderResponse;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code elect NAME PROPOSAL}, or {@code elect --listen NAME}: until interrupted. */
@Command(name = "elect", description = "Lead an election, or listen to one.")
final class ElectCommand implements Callable<Integer> {
  private static final long TTL_SECONDS = 60;

  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "NAME [PROPOSAL]")
  List<String> words = List.of();

  @Option(
      names = {"-l", "--listen"},
      description = "Print who leads, and go on doing so.")
  boolean listen;

  ElectCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (words.isEmpty() || words.size() > 2) {
      throw CommandFailure.badArguments(
          "elect takes one election name argument and an optional proposal argument");
    }
    if (listen && words.size() == 2) {
      throw CommandFailure.badArguments("proposal given but -l is set");
    }
    if (!listen && words.size() == 1) {
      throw CommandFailure.badArguments("no proposal argument but -l not set");
    }
    Printer printer = session.printer();
    try (Connection connection = session.connect()) {
      if (listen) {
        observe(connection, printer);
      } else {
        campaign(connection, printer);
      }
    }
    return 0;
  }

  private void observe(Connection connection, Printer printer) {
    Iterator<LeaderResponse> leaders =
        ElectionGrpc.newBlockingStub(connection.channel())
            .observe(LeaderRequest.newBuilder().setName(name()).build());
    while (leaders.hasNext()) {
      LeaderResponse leader = leaders.next();
      printer.range(
          RangeResponse.newBuilder().setHeader(leader.getHeader()).addKvs(leader.getKv()).build());
      session.out().flush();
    }
  }

  private void campaign(Connection connection, Printer printer) throws InterruptedException {
    try (OwnLease lease = OwnLease.grant(connection, TTL_SECONDS)) {
      CampaignResponse elected =
          ElectionGrpc.newBlockingStub(connection.channel())
              .campaign(
                  CampaignRequest.newBuilder()
                      .setName(name())
                      .setLease(lease.id())
                      .setValue(ByteString.copyFromUtf8(words.get(1)))
                      .build());
      printer.range(
          connection
              .limited(KVGrpc.newBlockingStub(connection.channel()))
              .range(RangeRequest.newBuilder().setKey(elected.getLeader().getKey()).build()));
      session.out().flush();
      lease.awaitLoss();
      throw new CommandFailure(CommandFailure.ERROR, "session expired");
    }
  }

  private ByteString name() {
    return ByteString.copyFromUtf8(words.get(0));
  }
}
