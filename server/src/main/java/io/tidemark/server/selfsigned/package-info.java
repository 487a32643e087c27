/**
 * Certificates that a member signs for itself, for {@code --auto-tls} and {@code --peer-auto-tls}:
 * traffic is encrypted, but nobody knows with whom. Only this package knows the library that makes
 * certificates. Thread: start-up.
 */
@NullMarked
package io.tidemark.server.selfsigned;

import org.jspecify.annotations.NullMarked;
