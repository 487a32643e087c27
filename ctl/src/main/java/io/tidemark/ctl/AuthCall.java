package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthGrpc.AuthBlockingStub;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Parameters;

/** A command that makes one call of the Auth service, after its words were counted. */
abstract class AuthCall implements Callable<Integer> {
  final Session session;
  private final int least;
  private final int most;
  private final String complaint;

  @Parameters(arity = "0..*")
  List<String> words = List.of();

  /**
   * @param least words that are needed
   * @param most words that are taken
   * @param complaint what to say otherwise
   */
  AuthCall(Session session, int least, int most, String complaint) {
    this.session = session;
    this.least = least;
    this.most = most;
    this.complaint = complaint;
  }

  @Override
  public final Integer call() {
    if (words.size() < least || words.size() > most) {
      throw CommandFailure.badArguments(complaint);
    }
    check();
    Printer printer = session.printer();
    try (Connection connection = session.connect()) {
      run(new Stubs(connection), printer);
    }
    return 0;
  }

  String word(int index) {
    return index < words.size() ? words.get(index) : "";
  }

  /** Looks at the words and options before anything is opened. */
  void check() {}

  abstract void run(Stubs stubs, Printer printer);

  /** Each call has the whole time-out for itself. */
  record Stubs(Connection connection) {
    AuthBlockingStub auth() {
      return connection.limited(AuthGrpc.newBlockingStub(connection.channel()));
    }
  }
}
