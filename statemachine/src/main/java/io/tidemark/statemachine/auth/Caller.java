package io.tidemark.statemachine.auth;

/**
 * Who asks for something.
 *
 * @param user empty for somebody without credentials
 * @param authRevision the revision of users and roles under which the credentials were accepted; 0
 *     for somebody without credentials
 */
public record Caller(String user, long authRevision) {
  public static final Caller ANONYMOUS = new Caller("", 0);

  public boolean isAnonymous() {
    return user.isEmpty();
  }
}
