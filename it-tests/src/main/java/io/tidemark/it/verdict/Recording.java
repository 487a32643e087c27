package io.tidemark.it.verdict;

import io.tidemark.it.history.Operation;
import io.tidemark.it.load.Hold;
import io.tidemark.it.load.LeaderWatch;
import io.tidemark.it.load.LeaseLife;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.tape.Tape;
import java.util.List;

/**
 * Everything that a run recorded and that its judges need. Times are of one JVM's monotonic clock.
 *
 * @param seed of the schedule and of all clients
 * @param members how many there were
 * @param beganNanos when the load began
 * @param endedNanos when it had ended
 * @param operations attempts on keys
 * @param tapes watch streams
 * @param holds who held the lock
 * @param leases short leases
 * @param compactions revisions that compactions were asked for
 * @param leaders whom members took for the leader
 * @param faults what was done to the cluster
 * @param states what the members held in the end
 */
public record Recording(
    long seed,
    int members,
    long beganNanos,
    long endedNanos,
    List<Operation> operations,
    List<Tape> tapes,
    List<Hold> holds,
    List<LeaseLife> leases,
    List<Long> compactions,
    List<LeaderWatch.Said> leaders,
    List<FaultRecord> faults,
    List<MemberState> states) {
  public Recording {
    operations = List.copyOf(operations);
    tapes = List.copyOf(tapes);
    holds = List.copyOf(holds);
    leases = List.copyOf(leases);
    compactions = List.copyOf(compactions);
    leaders = List.copyOf(leaders);
    faults = List.copyOf(faults);
    states = List.copyOf(states);
  }
}
