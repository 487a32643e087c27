package io.tidemark.ctl;

import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lease grant|revoke|timetolive|list|keep-alive}. */
@Command(name = "lease", description = "Leases.")
final class LeaseCommand {
  private static final String NOT_FOUND = "etcdserver: requested lease not found";

  private LeaseCommand() {}

  static LeaseCommand group() {
    return new LeaseCommand();
  }

  private static long id(String word) {
    try {
      return Long.parseLong(word, 16);
    } catch (NumberFormatException e) {
      throw CommandFailure.badArguments(
          "bad lease ID arg (strconv.ParseInt: parsing "
              + GoText.quote(word)
              + ": invalid syntax), expecting ID in Hex");
    }
  }

  private static String only(List<String> words, String complaint) {
    if (words.size() != 1) {
      throw CommandFailure.badArguments(complaint);
    }
    return words.get(0);
  }

  /** Makes a lease. */
  @Command(name = "grant", description = "Make a lease.")
  static final class Grant implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "TTL")
    List<String> words = List.of();

    Grant(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      String word = only(words, "lease grant command needs TTL argument");
      long ttl;
      try {
        ttl = Long.parseLong(word);
      } catch (NumberFormatException e) {
        throw CommandFailure.badArguments(
            "bad TTL (strconv.ParseInt: parsing " + GoText.quote(word) + ": invalid syntax)");
      }
      LeasePrinter printer = session.leasePrinter();
      try (Connection connection = session.connect()) {
        printer.granted(
            connection
                .limited(LeaseGrpc.newBlockingStub(connection.channel()))
                .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(ttl).build()));
      } catch (StatusRuntimeException e) {
        throw new CommandFailure(
            Failures.exitCode(e), "failed to grant lease (" + Failures.message(e) + ")");
      }
      return 0;
    }
  }

  /** Ends a lease. */
  @Command(name = "revoke", description = "End a lease and delete its keys.")
  static final class Revoke implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "LEASE")
    List<String> words = List.of();

    Revoke(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      long id = id(only(words, "lease revoke command needs 1 argument"));
      LeasePrinter printer = session.leasePrinter();
      try (Connection connection = session.connect()) {
        printer.revoked(
            id,
            connection
                .limited(LeaseGrpc.newBlockingStub(connection.channel()))
                .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build()));
      } catch (StatusRuntimeException e) {
        throw new CommandFailure(
            Failures.exitCode(e), "failed to revoke lease (" + Failures.message(e) + ")");
      }
      return 0;
    }
  }

  /** Tells what is left of a lease. */
  @Command(name = "timetolive", description = "Tell what is left of a lease.")
  static final class TimeToLive implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "LEASE")
    List<String> words = List.of();

    @Option(names = "--keys", description = "Print its keys too.")
    boolean keys;

    TimeToLive(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      long id = id(only(words, "lease timetolive command needs lease ID as argument"));
      LeasePrinter printer = session.leasePrinter();
      try (Connection connection = session.connect()) {
        printer.left(
            connection
                .limited(LeaseGrpc.newBlockingStub(connection.channel()))
                .leaseTimeToLive(
                    LeaseTimeToLiveRequest.newBuilder().setID(id).setKeys(keys).build()),
            keys);
      }
      return 0;
    }
  }

  /** Lists all leases. */
  @Command(name = "list", description = "List all leases.")
  static final class ListLeases implements Callable<Integer> {
    private final Session session;

    ListLeases(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      LeasePrinter printer = session.leasePrinter();
      try (Connection connection = session.connect()) {
        printer.leases(
            connection
                .limited(LeaseGrpc.newBlockingStub(connection.channel()))
                .leaseLeases(LeaseLeasesRequest.getDefaultInstance()));
      }
      return 0;
    }
  }

  /** Renews a lease, once or until it is over. */
  @Command(name = "keep-alive", description = "Renew a lease until interrupted.")
  static final class KeepAlive implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "LEASE")
    List<String> words = List.of();

    @Option(names = "--once", description = "Only once.")
    boolean once;

    KeepAlive(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      long id = id(only(words, "lease keep-alive command needs lease ID as argument"));
      LeasePrinter printer = session.leasePrinter();
      try (Connection connection = session.connect()) {
        while (true) {
          LeaseKeepAliveResponse answer = Renewal.once(connection, id);
          if (answer.getTTL() <= 0) {
            if (once) {
              throw new CommandFailure(CommandFailure.BAD_CONNECTION, NOT_FOUND);
            }
            session.out().print("lease " + LeasePrinter.hex(id) + " expired or revoked.\n");
            return 0;
          }
          printer.keptAlive(answer);
          if (once) {
            return 0;
          }
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(answer.getTTL()) / 3);
        }
      }
    }
  }
}
