/**
 * The wire contract: what clients and members say to each other.
 *
 * <p>Lives here: the generated message and service classes (sub-packages named after their proto
 * package), the error catalogue, and the assembly of responses from stored bytes. Must not live
 * here: behaviour of the store, Raft, configuration, transports. Every module may depend on it, so
 * it depends on protobuf and the gRPC stubs only. Everything here is immutable or stateless; any
 * thread may use it.
 */
@NullMarked
package io.tidemark.api;

import org.jspecify.annotations.NullMarked;
