package io.tidemark.server.access;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.statemachine.auth.Caller;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, as far as the credentials of the call tell.
 *
 * @param caller nobody in particular without credentials
 * @param refusal what is wrong with the credentials, or null
 */
public record Identity(Caller caller, @Nullable EtcdError refusal) {
  public static final Identity ANONYMOUS = new Identity(Caller.ANONYMOUS, null);

  public static Identity of(Caller caller) {
    return new Identity(caller, null);
  }

  public static Identity refused(EtcdError refusal) {
    return new Identity(Caller.ANONYMOUS, refusal);
  }
}
