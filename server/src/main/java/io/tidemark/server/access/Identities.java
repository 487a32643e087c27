package io.tidemark.server.access;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.tidemark.statemachine.auth.AuthState;

/** Finds out who calls. Any thread; never blocks. */
public interface Identities {
  /**
   * Who calls, for one state of users and roles.
   *
   * @param headers of the call
   * @param attributes of its connection
   */
  Identity of(Metadata headers, Attributes attributes, AuthState state);

  /**
   * What of the headers the other methods look at. A call that stays open keeps no more: the rest
   * is as large as a client likes.
   */
  Metadata credentials(Metadata headers);

  /**
   * Whether the credentials are of a login that this member may not have heard of yet. They are to
   * be looked at again behind a read barrier.
   */
  boolean isAhead(Metadata headers);
}
