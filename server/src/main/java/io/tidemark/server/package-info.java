/**
 * The edge of one member and the hand-built object graph behind it: gRPC services, JSON gateway,
 * health, metrics, TLS, authentication, and {@code main}.
 *
 * <p>Must not decide anything that members have to agree on; that belongs to {@code statemachine}.
 * {@code ctl} and {@code testkit} depend on it. Network threads never block; work that may wait
 * runs on named executors.
 */
@NullMarked
package io.tidemark.server;

import org.jspecify.annotations.NullMarked;
