/**
 * Short spellings of requests, a plain model of the store and generators of commands, for the tests
 * of this module only.
 */
@NullMarked
package io.tidemark.statemachine.testing;

import org.jspecify.annotations.NullMarked;
