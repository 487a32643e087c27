/** Tests of the comparison's arithmetic and flags. */
@NullMarked
package io.tidemark.ctl.compare;

import org.jspecify.annotations.NullMarked;
