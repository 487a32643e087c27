package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which batches were applied lately, and what became of their commands: so a batch whose fate is in
 * doubt may be sent again without being applied twice.
 *
 * <p>For each member the last {@value #SIZE} sequences of its newest run are told apart; anything
 * older counts as outdated and is not applied. A proposer must therefore never have sequences that
 * far apart on their way. A row of the BATCH table holds one sequence, at the place it takes modulo
 * the size, and travels in snapshots. A removed member's rows are dropped, and whatever of it still
 * turns up counts as outdated. Thread: apply; {@link #outcomes} any thread.
 */
public final class BatchWindow {
  /** How many sequences of a run are remembered. */
  public static final int SIZE = 64;

  /** Outcomes larger than this are forgotten, and only the fact remains. */
  static final int OUTCOME_BYTES_MAX = 64 << 10;

  private static final int ROW_HEADER_BYTES = 2 * Long.BYTES;

  /** What to do with a batch. */
  enum Verdict {
    /** Never seen: apply it. */
    NEW,
    /** Applied before. */
    APPLIED,
    /** Of an earlier run or a removed member, or too far behind to be told from an applied one. */
    OUTDATED
  }

  private final Map<Long, Run> runs = new HashMap<>();
  private final Set<Long> removed = new HashSet<>();

  private BatchWindow() {}

  /** What the store remembers. Blocks on the disk. */
  static BatchWindow load(ReadView view) {
    BatchWindow window = new BatchWindow();
    view.tableScan(
        Table.REMOVED_MEMBER,
        (key, empty) -> window.removed.add(key.asReadOnlyByteBuffer().getLong()));
    view.tableScan(
        Table.BATCH,
        (key, row) -> {
          ByteBuffer bytes = row.asReadOnlyByteBuffer();
          long member = key.asReadOnlyByteBuffer().getLong();
          window.note(new BatchId(member, bytes.getLong(), bytes.getLong()));
        });
    return window;
  }

  Verdict verdict(BatchId id) {
    if (id.sequence() < 0) {
      return Verdict.NEW;
    }
    if (removed.contains(id.memberId())) {
      return Verdict.OUTDATED;
    }
    Run run = runs.get(id.memberId());
    if (run == null || id.incarnation() > run.incarnation) {
      return Verdict.NEW;
    }
    if (id.incarnation() < run.incarnation || id.sequence() <= run.newest - SIZE) {
      return Verdict.OUTDATED;
    }
    return run.sequences[place(id)] == id.sequence() ? Verdict.APPLIED : Verdict.NEW;
  }

  /** Has the entry keep what became of its batch. */
  static void keep(EntryBatch entry, BatchId id, List<Outcome> outcomes) {
    if (id.sequence() < 0) {
      return;
    }
    int size = OutcomeCodec.size(outcomes);
    boolean kept = size <= OUTCOME_BYTES_MAX;
    ByteBuffer row = ByteBuffer.allocate(ROW_HEADER_BYTES + (kept ? size : 0));
    row.putLong(id.incarnation()).putLong(id.sequence());
    if (kept) {
      OutcomeCodec.write(outcomes, row);
    }
    entry.tablePut(Table.BATCH, key(id), UnsafeByteOperations.unsafeWrap(row.array()));
  }

  /** Has the entry drop what is kept of a member. */
  static void forget(EntryBatch entry, long member) {
    for (int place = 0; place < SIZE; place++) {
      entry.tableDelete(Table.BATCH, key(member, place));
    }
  }

  /** From now on nothing of this member is applied. */
  void close(long member) {
    runs.remove(member);
    removed.add(member);
  }

  /** Takes note of a batch that was applied. An older run's is passed over. */
  void note(BatchId id) {
    if (id.sequence() < 0) {
      return;
    }
    Run run = runs.get(id.memberId());
    if (run == null || id.incarnation() > run.incarnation) {
      run = new Run(id.incarnation());
      runs.put(id.memberId(), run);
    }
    if (id.incarnation() == run.incarnation) {
      run.sequences[place(id)] = id.sequence();
      run.newest = Math.max(run.newest, id.sequence());
    }
  }

  /**
   * What became of a batch's commands, if the view remembers that it was applied: one outcome for
   * each command, or none at all if they were too large to keep. Blocks on the disk.
   */
  public static Optional<List<Outcome>> outcomes(ReadView view, BatchId id) {
    return read(view.tableGet(Table.BATCH, key(id)), id);
  }

  private static Optional<List<Outcome>> read(@Nullable ByteString row, BatchId id) {
    if (row == null) {
      return Optional.empty();
    }
    ByteBuffer bytes = row.asReadOnlyByteBuffer();
    if (bytes.getLong() != id.incarnation() || bytes.getLong() != id.sequence()) {
      return Optional.empty();
    }
    return Optional.of(bytes.hasRemaining() ? OutcomeCodec.read(bytes) : List.of());
  }

  private static ByteString key(BatchId id) {
    return key(id.memberId(), place(id));
  }

  private static ByteString key(long member, int place) {
    byte[] key = new byte[Long.BYTES + 1];
    ByteBuffer.wrap(key).putLong(member).put((byte) place);
    return UnsafeByteOperations.unsafeWrap(key);
  }

  private static int place(BatchId id) {
    return (int) Math.floorMod(id.sequence(), (long) SIZE);
  }

  private static final class Run {
    final long incarnation;
    final long[] sequences = new long[SIZE];
    long newest = -1;

    Run(long incarnation) {
      this.incarnation = incarnation;
      Arrays.fill(sequences, -1);
    }
  }
}
