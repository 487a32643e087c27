/**
 * What members hold and what watches deliver when snapshots replace the log; backups, ours and
 * etcd's.
 */
@NullMarked
package io.tidemark.it.snapshot;

import org.jspecify.annotations.NullMarked;
