package io.tidemark.statemachine;

/** What a put needs to know of leases. Thread: apply. */
interface Leases {
  /** Whether a lease may be attached now. */
  boolean exists(long id);
}
