/** What the test classes share with JUnit: clusters that are always closed, and logs on failure. */
@NullMarked
package io.tidemark.it.support;

import org.jspecify.annotations.NullMarked;
