package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberAddRequest;
import io.tidemark.api.etcdserverpb.MemberAddResponse;
import io.tidemark.api.etcdserverpb.MemberPromoteRequest;
import io.tidemark.api.etcdserverpb.MemberPromoteResponse;
import io.tidemark.api.etcdserverpb.MemberRemoveRequest;
import io.tidemark.api.etcdserverpb.MemberRemoveResponse;
import io.tidemark.api.etcdserverpb.MemberUpdateRequest;
import io.tidemark.api.etcdserverpb.MemberUpdateResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code member add|remove|update|promote}, worded as etcdctl words them. */
final class MemberChangeCommands {
  private MemberChangeCommands() {}

  private static ClusterGrpc.ClusterBlockingStub cluster(Connection connection) {
    return connection.limited(ClusterGrpc.newBlockingStub(connection.channel()));
  }

  private static String words(long member, String what, ResponseHeader header) {
    return String.format("Member %16x %s cluster %16x", member, what, header.getClusterId());
  }

  private static long id(List<String> words) {
    if (words.size() != 1) {
      throw CommandFailure.badArguments("member ID is not provided");
    }
    try {
      return Long.parseUnsignedLong(words.get(0), 16);
    } catch (NumberFormatException e) {
      throw CommandFailure.badArguments(
          "bad member ID arg (strconv.ParseUint: parsing "
              + GoText.quote(words.get(0))
              + ": invalid syntax), expecting ID in Hex");
    }
  }

  private static List<String> urls(String text) {
    if (text.isEmpty()) {
      throw CommandFailure.badArguments("member peer urls not provided");
    }
    return List.of(text.split(",", -1));
  }

  /** Adds a member, and prints what it is to be started with. */
  @Command(name = "add", description = "Add a member, which is then started with what this prints.")
  static final class Add implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "NAME")
    List<String> words = List.of();

    @Option(names = "--peer-urls", paramLabel = "URLS", description = "Its peer URLs.")
    String peerUrls = "";

    @Option(names = "--learner", description = "Without a vote at first.")
    boolean learner;

    Add(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      if (words.isEmpty()) {
        throw CommandFailure.badArguments("member name not provided");
      }
      if (words.size() > 1) {
        throw CommandFailure.badArguments("too many arguments");
      }
      MemberAddRequest request =
          MemberAddRequest.newBuilder()
              .addAllPeerURLs(urls(peerUrls))
              .setIsLearner(learner)
              .build();
      Printer printer = session.printer();
      try (Connection connection = session.connect()) {
        MemberAddResponse response = cluster(connection).memberAdd(request);
        long id = response.getMember().getID();
        String first = words(id, "added to", response.getHeader());
        printer.membersChanged(response, first + settings(response));
      }
      return 0;
    }

    private String settings(MemberAddResponse response) {
      List<String> initial = new ArrayList<>();
      for (Member member : response.getMembersList()) {
        boolean fresh = member.getID() == response.getMember().getID();
        String name = fresh ? words.get(0) : member.getName();
        member.getPeerURLsList().forEach(url -> initial.add(name + "=" + url));
      }
      return "\n\nETCD_NAME="
          + GoText.quote(words.get(0))
          + "\nETCD_INITIAL_CLUSTER="
          + GoText.quote(String.join(",", initial))
          + "\nETCD_INITIAL_ADVERTISE_PEER_URLS="
          + GoText.quote(peerUrls)
          + "\nETCD_INITIAL_CLUSTER_STATE=\"existing\"";
    }
  }

  /** Removes a member for ever. */
  @Command(name = "remove", description = "Remove a member; its id never comes back.")
  static final class Remove implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "ID")
    List<String> words = List.of();

    Remove(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      long id = id(words);
      Printer printer = session.printer();
      try (Connection connection = session.connect()) {
        MemberRemoveResponse response =
            cluster(connection).memberRemove(MemberRemoveRequest.newBuilder().setID(id).build());
        printer.membersChanged(response, words(id, "removed from", response.getHeader()));
      }
      return 0;
    }
  }

  /** Tells where a member listens for others now. */
  @Command(name = "update", description = "Replace a member's peer URLs.")
  static final class Update implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "ID")
    List<String> words = List.of();

    @Option(names = "--peer-urls", paramLabel = "URLS", description = "All its peer URLs.")
    String peerUrls = "";

    Update(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      long id = id(words);
      MemberUpdateRequest request =
          MemberUpdateRequest.newBuilder().setID(id).addAllPeerURLs(urls(peerUrls)).build();
      Printer printer = session.printer();
      try (Connection connection = session.connect()) {
        MemberUpdateResponse response = cluster(connection).memberUpdate(request);
        printer.membersChanged(response, words(id, "updated in", response.getHeader()));
      }
      return 0;
    }
  }

  /** Gives a learner its vote. */
  @Command(name = "promote", description = "Give a learner a vote, once it is in sync.")
  static final class Promote implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "ID")
    List<String> words = List.of();

    Promote(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      long id = id(words);
      Printer printer = session.printer();
      try (Connection connection = session.connect()) {
        MemberPromoteResponse response =
            cluster(connection).memberPromote(MemberPromoteRequest.newBuilder().setID(id).build());
        printer.membersChanged(response, words(id, "promoted in", response.getHeader()));
      }
      return 0;
    }
  }
}
