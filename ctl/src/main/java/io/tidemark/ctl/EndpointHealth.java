package io.tidemark.ctl;

import java.time.Duration;

/**
 * Whether one endpoint answers.
 *
 * @param endpoint as the user wrote it
 * @param took time until the answer
 * @param error what went wrong; empty when healthy
 */
record EndpointHealth(String endpoint, Duration took, String error) {
  boolean healthy() {
    return error.isEmpty();
  }
}
