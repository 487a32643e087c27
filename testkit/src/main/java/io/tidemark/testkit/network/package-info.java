/**
 * The wires of a cluster inside one JVM: real loopback sockets with a relay in the middle of each
 * link, which can hold bytes back or break connections.
 *
 * <p>Knows nothing about what flows through, nor about members but their numbers and ports. Used by
 * {@code testkit} alone. All bytes move on one event loop per cluster; switches may be turned from
 * any thread.
 */
@NullMarked
package io.tidemark.testkit.network;

import org.jspecify.annotations.NullMarked;
