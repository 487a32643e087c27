/**
 * The certificates and keys that a configuration names, in the form that TLS libraries take: key
 * and trust managers of the JDK that follow their files, and the versions and suites allowed.
 *
 * <p>Both ports use it, the client port in {@code server} and the peer port in {@code raft-core};
 * neither Netty nor gRPC belongs here, because those two have different copies of them. Reading
 * files blocks; the managers are asked on event loops and never do.
 */
@NullMarked
package io.tidemark.clusterconfig.tls;

import org.jspecify.annotations.NullMarked;
