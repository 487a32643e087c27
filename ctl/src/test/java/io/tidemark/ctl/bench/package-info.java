/** Tests of the load tool. */
@NullMarked
package io.tidemark.ctl.bench;

import org.jspecify.annotations.NullMarked;
