package io.tidemark.server.auth;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.tidemark.api.authpb.User;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Reads;
import io.tidemark.server.rpc.Reply;
import io.tidemark.statemachine.auth.AuthState;
import java.util.concurrent.RejectedExecutionException;

/**
 * Authenticate: behind a read barrier the password is checked on a thread for that, and then a
 * token is issued for the revision of users and roles that it was checked under.
 */
final class Logins {
  private final Guard guard;
  private final Reads reads;
  private final Passwords passwords;
  private final TokenIssuer issuer;

  Logins(Guard guard, Reads reads, Passwords passwords, TokenIssuer issuer) {
    this.guard = guard;
    this.reads = reads;
    this.passwords = passwords;
    this.issuer = issuer;
  }

  void authenticate(AuthenticateRequest request, Reply reply) {
    EtcdError gated = guard.gate().refusal(reply.headers());
    if (gated != null) {
      reply.fail(gated);
      return;
    }
    reads.afterBarrier(true, passwords.lane(), reply, () -> check(request, reply));
  }

  /** Thread: passwords. */
  private void check(AuthenticateRequest request, Reply reply) {
    AuthState state = guard.state();
    if (!state.enabled()) {
      reply.fail(EtcdError.AUTH_NOT_ENABLED);
      return;
    }
    User user = state.user(request.getName());
    if (user != null && user.getOptions().getNoPassword()) {
      reply.fail(
          Status.UNKNOWN.withDescription(
              "auth: authentication failed, password was given for no password user"));
      return;
    }
    ByteString hash = user == null ? null : user.getPassword();
    if (passwords.matches(request.getPassword(), hash) && hash != null) {
      issue(request, hash, state, reply);
    } else {
      reply.fail(EtcdError.AUTH_FAILED);
    }
  }

  private void issue(
      AuthenticateRequest request, ByteString checkedHash, AuthState state, Reply reply) {
    issuer.issue(
        request.getName(), state.revision(), reply, () -> again(request, checkedHash, reply));
  }

  /**
   * Users or roles changed since the password was checked. It needs no second check unless it is
   * another one by now.
   */
  private void again(AuthenticateRequest request, ByteString checkedHash, Reply reply) {
    AuthState state = guard.state();
    User user = state.user(request.getName());
    if (state.enabled() && user != null && user.getPassword().equals(checkedHash)) {
      issue(request, checkedHash, state, reply);
      return;
    }
    try {
      passwords.lane().execute(() -> Reads.guarded(reply, () -> check(request, reply)));
    } catch (RejectedExecutionException full) {
      reply.fail(EtcdError.TOO_MANY_REQUESTS);
    }
  }

  /** Makes tokens of one kind. */
  interface TokenIssuer {
    /**
     * Answers the call with a token. Any thread; doesn't block.
     *
     * @param authRevision under which the password was checked
     * @param overtaken run in place of an answer when that revision is over
     */
    void issue(String user, long authRevision, Reply reply, Runnable overtaken);
  }
}
