package io.tidemark.server.access;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.statemachine.auth.Permissions;
import org.jspecify.annotations.Nullable;

/** What a call needs. */
@FunctionalInterface
public interface Right {
  /** Only sound credentials, or none. */
  Right NONE = permissions -> null;

  /** To be some user. */
  Right KNOWN = Permissions::known;

  /** The root role. */
  Right ADMIN = Permissions::admin;

  /** Why the caller doesn't have it, or null. */
  @Nullable EtcdError missing(Permissions permissions);
}
