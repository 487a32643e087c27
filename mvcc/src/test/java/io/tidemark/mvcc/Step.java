package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.List;

/** What the model test does to a store. */
sealed interface Step {
  <R> R on(Cases<R> cases);

  interface Cases<R> {
    R entry(Entry step);

    R advance();

    R flush();

    R reopen();

    R crash();

    R awaitSweep();

    R awaitRuns();

    R checkpoint();
  }

  /** One log entry. */
  record Entry(List<Command> commands) implements Step {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.entry(this);
    }
  }

  /** Steps without arguments. */
  enum Plain implements Step {
    ADVANCE,
    FLUSH,
    REOPEN,
    CRASH,
    AWAIT_SWEEP,
    AWAIT_RUNS,
    CHECKPOINT;

    @Override
    public <R> R on(Cases<R> cases) {
      return switch (this) {
        case ADVANCE -> cases.advance();
        case FLUSH -> cases.flush();
        case REOPEN -> cases.reopen();
        case CRASH -> cases.crash();
        case AWAIT_SWEEP -> cases.awaitSweep();
        case AWAIT_RUNS -> cases.awaitRuns();
        case CHECKPOINT -> cases.checkpoint();
      };
    }
  }

  /** Ops of one command, then a compaction that many revisions back from the newest, or none. */
  record Command(List<Op> ops, int compactBack) {
    static final int NONE = -1;
  }

  /** One thing a command does. */
  sealed interface Op {
    <R> R on(OpCases<R> cases);
  }

  interface OpCases<R> {
    R put(Put op);

    R delete(Delete op);

    R read(Read op);
  }

  record Put(ByteString key, ByteString value, long lease) implements Op {
    @Override
    public <R> R on(OpCases<R> cases) {
      return cases.put(this);
    }
  }

  record Delete(KeyRange range) implements Op {
    @Override
    public <R> R on(OpCases<R> cases) {
      return cases.delete(this);
    }
  }

  record Read(RangeQuery query) implements Op {
    @Override
    public <R> R on(OpCases<R> cases) {
      return cases.read(this);
    }
  }
}
