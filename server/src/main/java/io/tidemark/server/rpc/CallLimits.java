package io.tidemark.server.rpc;

import com.google.protobuf.MessageLite;
import io.tidemark.api.errors.EtcdError;
import org.jspecify.annotations.Nullable;

/** Which calls this member takes at all just now. Any thread; must not block. */
@FunctionalInterface
public interface CallLimits {
  /** Every call. */
  CallLimits NONE = (method, request) -> null;

  /**
   * Why a call isn't taken, or null.
   *
   * @param method full name
   * @param request the one request; null for a stream
   */
  @Nullable EtcdError refusal(String method, @Nullable MessageLite request);
}
