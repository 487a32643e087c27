/**
 * The errors of the contract, as code and text.
 *
 * <p>Must not import gRPC, so that {@code statemachine} can name an error without knowing a
 * transport. Every module may depend on it. Immutable; any thread.
 */
@NullMarked
package io.tidemark.api.errors;

import org.jspecify.annotations.NullMarked;
