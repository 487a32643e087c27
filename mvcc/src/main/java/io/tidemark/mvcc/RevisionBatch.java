package io.tidemark.mvcc;

import java.util.List;

/**
 * Everything that happened in one revision.
 *
 * @param changes in the order in which they were made
 * @param bytes memory accounted for this batch, previous pairs included
 */
public record RevisionBatch(long revision, List<Change> changes, long bytes) {
  public RevisionBatch {
    changes = List.copyOf(changes);
  }
}
