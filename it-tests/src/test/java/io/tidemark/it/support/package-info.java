/**
 * What the test classes share: clusters that are always closed, logs on failure, messages as bare
 * bytes.
 */
@NullMarked
package io.tidemark.it.support;

import org.jspecify.annotations.NullMarked;
