package io.tidemark.it.history;

import static io.tidemark.judge.Violation.Kind.APPLIED_TWICE;
import static io.tidemark.judge.Violation.Kind.FUTURE;
import static io.tidemark.judge.Violation.Kind.LOST_WRITE;
import static io.tidemark.judge.Violation.Kind.ORDER;
import static io.tidemark.judge.Violation.Kind.REJECTED_TOOK_EFFECT;
import static io.tidemark.judge.Violation.Kind.STALE;
import static io.tidemark.judge.Violation.Kind.UNEXPLAINED_EVENT;
import static io.tidemark.judge.Violation.Kind.WRONG_BRANCH;
import static io.tidemark.judge.Violation.Kind.WRONG_PREVIOUS;
import static io.tidemark.judge.Violation.Kind.WRONG_READ;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.Outcome.Done;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges attempts of clients against the store's event log, by revision:
 *
 * <ol>
 *   <li>every acknowledged change is the event at its revision, and every event was asked for,
 *       once;
 *   <li>every answer shows what the log has at its header revision;
 *   <li>an attempt that began after another ended has the larger revision if it changed something,
 *       and none that is smaller otherwise (reads of a member's own state excepted);
 *   <li>no answer shows a revision that was begun only after the answer was given.
 * </ol>
 *
 * Attempts with an unknown outcome are settled by the log. Near-linear in the history's length.
 */
public final class HistoryChecker {
  private final EventLog log;
  private final List<Operation> operations;
  private final String scope;
  private final RevisionFloor floor;
  private final Map<Long, Operation> causes = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  private HistoryChecker(EventLog log, List<Operation> operations, String scope) {
    this.log = log;
    this.scope = scope;
    this.operations = List.copyOf(operations);
    this.floor = new RevisionFloor(operations);
  }

  /** Everything that is wrong; empty means the history is fine. */
  public static List<Violation> check(EventLog log, List<Operation> operations) {
    return check(log, operations, "");
  }

  /**
   * The same for keys that begin with {@code scope}; others are none of these operations' business.
   */
  public static List<Violation> check(EventLog log, List<Operation> operations, String scope) {
    HistoryChecker checker = new HistoryChecker(log, operations, scope);
    checker.violations.addAll(log.faults());
    checker.explainPuts();
    checker.explainDeletes();
    for (Operation operation : checker.operations) {
      operation.outcome().done().ifPresent(done -> checker.judge(operation, done));
    }
    checker.causes.forEach(checker::judgeOrder);
    return List.copyOf(checker.violations);
  }

  /** Puts name their attempt by its unique value. */
  private void explainPuts() {
    Map<String, Operation> byValue = new HashMap<>();
    for (Operation operation : operations) {
      writtenValue(operation.action())
          .ifPresent(
              value -> {
                if (byValue.put(value, operation) != null) {
                  throw new IllegalArgumentException("value used twice: " + value);
                }
              });
    }
    Map<Operation, Long> seen = new HashMap<>();
    for (Event event : log.events()) {
      if (event.getType() == Event.EventType.PUT && isInScope(event)) {
        Operation cause = byValue.get(event.getKv().getValue().toStringUtf8());
        explain(event, cause, seen);
      }
    }
  }

  private void explain(Event event, @Nullable Operation cause, Map<Operation, Long> seen) {
    long revision = event.getKv().getModRevision();
    if (cause == null || !cause.action().key().equals(event.getKv().getKey().toStringUtf8())) {
      fault(UNEXPLAINED_EVENT, "nobody asked for " + event, event);
      return;
    }
    Long earlier = seen.putIfAbsent(cause, revision);
    if (earlier != null) {
      fault(APPLIED_TWICE, cause + " at " + earlier + " and " + revision, event);
    }
    if (cause.outcome().isRejected()) {
      fault(REJECTED_TOOK_EFFECT, cause + " at " + revision, event);
    }
    causes.putIfAbsent(revision, cause);
  }

  /** Deletes are named by their revision, or else go to attempts that nobody answered. */
  private void explainDeletes() {
    Map<Long, Operation> answered = new HashMap<>();
    Map<String, Deque<Operation>> unanswered = new HashMap<>();
    operations.stream()
        .filter(operation -> isDelete(operation.action()))
        .sorted(Comparator.comparingLong(Operation::beganNanos))
        .forEach(
            operation -> {
              Optional<Done> done = operation.outcome().done();
              if (done.isPresent() && done.get().changed()) {
                answered.putIfAbsent(done.get().revision(), operation);
              } else if (done.isEmpty() && !operation.outcome().isRejected()) {
                unanswered
                    .computeIfAbsent(operation.action().key(), key -> new ArrayDeque<>())
                    .add(operation);
              }
            });
    for (Event event : log.events()) {
      if (event.getType() == Event.EventType.DELETE && isInScope(event)) {
        explainDelete(event, answered, unanswered);
      }
    }
  }

  private void explainDelete(
      Event event, Map<Long, Operation> answered, Map<String, Deque<Operation>> unanswered) {
    long revision = event.getKv().getModRevision();
    String key = event.getKv().getKey().toStringUtf8();
    Operation cause = answered.get(revision);
    if (cause == null || !cause.action().key().equals(key)) {
      cause = unanswered.getOrDefault(key, new ArrayDeque<>()).pollFirst();
    }
    if (cause == null) {
      fault(UNEXPLAINED_EVENT, "nobody asked for " + event, event);
    } else {
      causes.putIfAbsent(revision, cause);
    }
  }

  /** An effect never has a revision that was known before its attempt began. */
  private void judgeOrder(long revision, Operation cause) {
    long known = floor.before(cause.beganNanos());
    if (revision <= known) {
      violations.add(
          new Violation(
              ORDER,
              cause + " took effect at " + revision + ", but " + known + " was known before",
              cause.action().key(),
              revision));
    }
  }

  private void judge(Operation operation, Done done) {
    Operation writer = causes.get(done.revision());
    if (done.revision() > log.lastRevision()
        || (writer != null && writer.beganNanos() >= operation.endedNanos())) {
      fault(
          done.changed() ? LOST_WRITE : FUTURE,
          operation + "; written by " + writer,
          operation,
          done);
      return;
    }
    if (done.changed() && !operation.equals(writer)) {
      fault(LOST_WRITE, operation + "; the log has " + log.at(done.revision()), operation, done);
      return;
    }
    long known = floor.before(operation.beganNanos());
    if (!done.changed() && !isLocal(operation.action()) && done.revision() < known) {
      fault(STALE, operation + ", but " + known + " was known before", operation, done);
    }
    violations.addAll(operation.action().on(new Answer(operation, done)));
  }

  /** Compares an answer with the log. */
  private final class Answer implements Action.Cases<List<Violation>> {
    private final Operation operation;
    private final Done done;
    private final Optional<KeyValue> before;
    private final Optional<KeyValue> state;

    Answer(Operation operation, Done done) {
      this.operation = operation;
      this.done = done;
      this.before = log.stateAt(operation.action().key(), done.revision() - 1);
      this.state = log.stateAt(operation.action().key(), done.revision());
    }

    @Override
    public List<Violation> put(Action.Put put) {
      return expect(WRONG_PREVIOUS, done.found(), before);
    }

    @Override
    public List<Violation> delete(Action.Delete delete) {
      return done.changed()
          ? expect(WRONG_PREVIOUS, done.found(), before)
          : expect(WRONG_READ, Optional.empty(), state);
    }

    @Override
    public List<Violation> swap(Action.Swap swap) {
      Optional<KeyValue> judged = done.changed() ? before : state;
      boolean holds = judged.map(KeyValue::getModRevision).orElse(0L) == swap.expectedMod();
      if (holds != done.changed()) {
        return List.of(about(WRONG_BRANCH, operation + " on " + judged, operation, done));
      }
      return done.changed() ? List.of() : expect(WRONG_READ, done.found(), state);
    }

    @Override
    public List<Violation> read(Action.Read read) {
      return expect(WRONG_READ, done.found(), state);
    }

    private List<Violation> expect(
        Violation.Kind kind, Optional<KeyValue> shown, Optional<KeyValue> recorded) {
      return shown.equals(recorded)
          ? List.of()
          : List.of(about(kind, operation + "; the log has " + recorded, operation, done));
    }
  }

  private boolean isInScope(Event event) {
    return event.getKv().getKey().toStringUtf8().startsWith(scope);
  }

  private void fault(Violation.Kind kind, String detail, Event event) {
    violations.add(
        new Violation(
            kind, detail, event.getKv().getKey().toStringUtf8(), event.getKv().getModRevision()));
  }

  private void fault(Violation.Kind kind, String detail, Operation operation, Done done) {
    violations.add(about(kind, detail, operation, done));
  }

  private static Violation about(
      Violation.Kind kind, String detail, Operation operation, Done done) {
    return new Violation(kind, detail, operation.action().key(), done.revision());
  }

  private static Optional<String> writtenValue(Action action) {
    return action.on(
        new Action.Cases<>() {
          @Override
          public Optional<String> put(Action.Put put) {
            return Optional.of(put.value());
          }

          @Override
          public Optional<String> delete(Action.Delete delete) {
            return Optional.empty();
          }

          @Override
          public Optional<String> swap(Action.Swap swap) {
            return Optional.of(swap.value());
          }

          @Override
          public Optional<String> read(Action.Read read) {
            return Optional.empty();
          }
        });
  }

  private static boolean isDelete(Action action) {
    return action instanceof Action.Delete;
  }

  private static boolean isLocal(Action action) {
    return action instanceof Action.Read read && read.local();
  }
}
