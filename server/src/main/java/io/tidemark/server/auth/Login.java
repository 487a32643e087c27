package io.tidemark.server.auth;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.Identities;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Writes;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.auth.AuthChange;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How users show who they are: passwords, tokens, certificates, as the configuration has it.
 * Thread-safe.
 */
public final class Login implements AutoCloseable {
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int LETTERS_COUNT = 16;

  private final Passwords passwords;
  private final Identities identities;
  private final @Nullable JwtTokens jwt;
  private final Replica replica;
  private final SecureRandom random = new SecureRandom();

  /**
   * What the configuration says.
   *
   * @param token {@code simple}, or {@code jwt} and its options
   * @param tokenTtl time to live of a simple token
   * @param bcryptCost work factor of new hashes
   * @param certificates whether a client certificate's common name is a user's name
   */
  public record Choice(String token, Duration tokenTtl, int bcryptCost, boolean certificates) {}

  private Login(
      Passwords passwords, Identities identities, @Nullable JwtTokens jwt, Replica replica) {
    this.passwords = passwords;
    this.identities = identities;
    this.jwt = jwt;
    this.replica = replica;
  }

  /**
   * Reads key files and starts listening to the logins of the log.
   *
   * @throws IOException when a key file can't be read
   * @throws IllegalArgumentException when the choice makes no sense
   */
  public static Login open(String member, Choice choice, Replica replica) throws IOException {
    JwtTokens jwt = JwtTokens.isChosen(choice.token()) ? JwtTokens.open(choice.token()) : null;
    Tokens tokens;
    if (jwt == null) {
      SimpleTokens simple =
          new SimpleTokens(
              choice.tokenTtl(), System::nanoTime, () -> replica.status().appliedIndex());
      replica.authority().listen(simple);
      tokens = simple;
    } else {
      tokens = jwt;
    }
    return new Login(
        new Passwords(member, choice.bcryptCost()),
        new Credentials(tokens, choice.certificates()),
        jwt,
        replica);
  }

  /** Who calls. */
  public Identities identities() {
    return identities;
  }

  Passwords passwords() {
    return passwords;
  }

  Logins.TokenIssuer issuer(Writes writes, Headers headers) {
    if (jwt != null) {
      return jwt.issuer(() -> headers.message(replica.status().appliedRevision()));
    }
    return (user, authRevision, reply, overtaken) ->
        writes.proposeFreely(
            new Command.Auth(new AuthChange.IssueToken(user, letters(), authRevision)),
            reply,
            error -> {
              if (error == EtcdError.AUTH_OLD_REVISION) {
                overtaken.run();
              } else {
                reply.fail(error);
              }
            });
  }

  private String letters() {
    StringBuilder letters = new StringBuilder(LETTERS_COUNT);
    for (int i = 0; i < LETTERS_COUNT; i++) {
      letters.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return letters.toString();
  }

  @Override
  public void close() {
    passwords.close();
  }
}
