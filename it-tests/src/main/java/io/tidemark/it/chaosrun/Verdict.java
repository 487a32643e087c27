package io.tidemark.it.chaosrun;

import io.tidemark.it.history.Outcome;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.tape.Tape;
import io.tidemark.it.verdict.Recording;
import io.tidemark.judge.Violation;
import java.util.List;

/**
 * What a run comes to, in numbers.
 *
 * @param seed of the run
 * @param faults that took effect
 * @param idle faults that did nothing
 * @param unready faults after which the members weren't ready in time
 * @param operations attempts on keys
 * @param acknowledged changes among them that were acknowledged
 * @param unknown attempts that nobody knows the outcome of
 * @param watches streams
 * @param holds of the lock
 * @param leases short ones
 * @param revisions the newest revision
 * @param violations of any promise
 */
public record Verdict(
    long seed,
    int faults,
    int idle,
    int unready,
    int operations,
    long acknowledged,
    long unknown,
    long watches,
    int holds,
    int leases,
    long revisions,
    int violations) {
  /** Counts. */
  public static Verdict of(Recording recording, List<Violation> violations) {
    List<FaultRecord> faults = recording.faults();
    return new Verdict(
        recording.seed(),
        (int) faults.stream().filter(FaultRecord::effective).count(),
        (int) faults.stream().filter(fault -> !fault.effective()).count(),
        (int) faults.stream().filter(fault -> fault.readyNanos() == 0).count(),
        recording.operations().size(),
        recording.operations().stream()
            .filter(o -> o.outcome().done().filter(Outcome.Done::changed).isPresent())
            .count(),
        recording.operations().stream()
            .filter(o -> o.outcome().done().isEmpty() && !o.outcome().isRejected())
            .count(),
        recording.tapes().stream().filter(t -> t.purpose() == Tape.Purpose.CLIENT).count(),
        recording.holds().size(),
        recording.leases().size(),
        recording.states().stream().mapToLong(state -> state.revision()).max().orElse(0),
        violations.size());
  }

  /** Whether all is well. */
  public boolean passed() {
    return violations == 0 && idle == 0 && unready == 0;
  }

  /** One line that says it all. */
  public String line() {
    return String.format(
        "%s: seed %d: %d faults took effect, %d did nothing, %d not recovered in time; %d operations"
            + " (%d acknowledged changes, %d unknown), %d watch streams, %d lock holds, %d leases,"
            + " revision %d; %d violations",
        passed() ? "PASSED" : "FAILED",
        seed,
        faults,
        idle,
        unready,
        operations,
        acknowledged,
        unknown,
        watches,
        holds,
        leases,
        revisions,
        violations);
  }
}
