package io.tidemark.statemachine;

import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.statemachine.lease.LeaseChanges;
import java.util.List;

/**
 * What applying one entry did.
 *
 * @param id the batch that the entry carried
 * @param outcomes one for each command, in order; empty if the entry had been applied before, or if
 *     its batch had and the outcomes were too large to keep
 * @param batches the revisions that the entry made, ascending, already readable
 * @param compactRevision the store's compact revision if this entry moved it, else 0
 * @param leases what the entry did to the leases
 * @param membersChanged whether the entry changed the member table
 */
public record AppliedEntry(
    BatchId id,
    List<Outcome> outcomes,
    List<RevisionBatch> batches,
    long compactRevision,
    LeaseChanges leases,
    boolean membersChanged) {
  public AppliedEntry {
    outcomes = List.copyOf(outcomes);
    batches = List.copyOf(batches);
  }

  /** Another copy of a batch that was applied before, and what became of that one. */
  static AppliedEntry repeated(BatchId id, List<Outcome> outcomes) {
    return new AppliedEntry(id, outcomes, List.of(), 0, LeaseChanges.NONE, false);
  }

  static AppliedEntry skipped(BatchId id) {
    return new AppliedEntry(id, List.of(), List.of(), 0, LeaseChanges.NONE, false);
  }
}
