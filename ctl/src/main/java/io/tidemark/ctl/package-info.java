/**
 * {@code tidemarkctl}: everyday commands in the spelling and output formats that users of etcdctl
 * know, plus status with lag, top, bench, compare, snapshot and import.
 *
 * <p>Talks to a cluster through {@code api} only; the offline commands call entry points of {@code
 * server}. Nothing depends on it except tests. Commands run on the main thread.
 */
@NullMarked
package io.tidemark.ctl;

import org.jspecify.annotations.NullMarked;
