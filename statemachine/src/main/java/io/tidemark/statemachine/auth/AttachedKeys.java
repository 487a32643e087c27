package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import java.util.List;

/** The keys that hang on a lease. Who may touch a lease is a question of its keys. */
public interface AttachedKeys {
  /** For who doesn't look at leases: no lease has any. */
  AttachedKeys NONE = lease -> List.of();

  /** The keys of a lease, in no order; none for an unknown lease. */
  Iterable<ByteString> of(long lease);

  /** The keys of all leases together. */
  default Iterable<ByteString> all() {
    throw new UnsupportedOperationException("one lease at a time");
  }
}
