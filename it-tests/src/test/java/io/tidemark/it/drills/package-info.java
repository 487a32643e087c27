/** The scripts a person uses to run a cluster by hand. */
@NullMarked
package io.tidemark.it.drills;

import org.jspecify.annotations.NullMarked;
