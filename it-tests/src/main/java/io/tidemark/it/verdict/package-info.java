/**
 * What a run recorded, and the judges that look at all of it: keys, watches, locks, leases, and
 * what the members hold in the end. Written to a file, a recording can be judged again.
 *
 * <p>Judges are pure. Used by tests and by {@code scripts/chaos}.
 */
@NullMarked
package io.tidemark.it.verdict;

import org.jspecify.annotations.NullMarked;
