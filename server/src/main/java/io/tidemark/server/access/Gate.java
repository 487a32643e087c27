package io.tidemark.server.access;

import io.grpc.Metadata;
import io.tidemark.api.errors.EtcdError;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What is checked before anything else about a call. Any thread. */
public final class Gate {
  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

  private final BooleanSupplier hasLeader;

  public Gate(BooleanSupplier hasLeader) {
    this.hasLeader = hasLeader;
  }

  /** Whether this member knows a leader right now. */
  public boolean hasLeader() {
    return hasLeader.getAsBoolean();
  }

  /** Why the call is refused, or null when it may go on. */
  public @Nullable EtcdError refusal(Metadata headers) {
    return wantsLeader(headers) && !hasLeader.getAsBoolean() ? EtcdError.NO_LEADER : null;
  }

  /** Whether the client asked to hear at once when this member knows no leader. */
  public static boolean wantsLeader(Metadata headers) {
    return "true".equals(headers.get(HAS_LEADER));
  }
}
