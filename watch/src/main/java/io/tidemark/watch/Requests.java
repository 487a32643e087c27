package io.tidemark.watch;

import io.tidemark.mvcc.KeyRange;
import org.jspecify.annotations.Nullable;

/** Carries out one stream's requests. Thread: dispatcher. */
final class Requests {
  static final String EMPTY_RANGE = "mvcc: watcher range is empty";
  static final String DUPLICATE_ID = "mvcc: duplicate watch ID provided on the WatchStream";
  static final String COMPACTED = "etcdserver: mvcc: required revision has been compacted";

  /** Pause between two answers by single watchers of one stream. */
  private static final long OWN_PROGRESS_PAUSE_NANOS = 100_000_000;

  private final Roster roster;
  private final History history;
  private final WatchCounters counters;
  private final ProgressTicks ticks;
  private long serials;

  Requests(Roster roster, History history, WatchCounters counters, ProgressTicks ticks) {
    this.roster = roster;
    this.history = history;
    this.counters = counters;
    this.ticks = ticks;
  }

  void handle(WatchStream stream, StreamRequest request, long nowNanos) {
    request.on(new OnStream(stream, nowNanos));
  }

  /** Ends a closed stream's watchers. */
  void close(WatchStream stream) {
    stream.watchers.forEach(roster::end);
    ticks.remove(stream);
  }

  private final class OnStream implements StreamRequest.Cases {
    private final WatchStream stream;
    private final StreamWatchers watchers;
    private final Outbox outbox;
    private final long nowNanos;

    OnStream(WatchStream stream, long nowNanos) {
      this.stream = stream;
      this.watchers = stream.watchers;
      this.outbox = stream.outbox();
      this.nowNanos = nowNanos;
    }

    @Override
    public void create(StreamRequest.Create request) {
      WatchSpec spec = request.spec();
      // One reading serves the header and the start: the watcher covers exactly what comes after.
      long revision = history.revision();
      String refusal = refusal(spec);
      if (refusal != null) {
        outbox.control(new WatchMessage.Refused(refusal, revision));
        return;
      }
      long start = spec.startRevision();
      long id = spec.watchId() == 0 ? watchers.freeId() : spec.watchId();
      long next = start == 0 ? revision + 1 : start;
      Watcher watcher = new Watcher(stream, id, spec, serials++, next);
      watcher.readyFrom(Math.max(start, revision));
      outbox.created(new WatchMessage.Created(id, revision));
      watchers.add(watcher, revision);
      roster.compact(history.compactRevision());
      if (start > 0 && start < roster.compacted()) {
        roster.endCompacted(watcher);
        return;
      }
      roster.settle(watcher, next);
      if (spec.progressNotify()) {
        ticks.add(stream, nowNanos);
      }
    }

    private @Nullable String refusal(WatchSpec spec) {
      KeyRange range = spec.range();
      if (spec.startRevision() < 0) {
        return COMPACTED;
      }
      if (range.isEmpty()) {
        return EMPTY_RANGE;
      }
      return spec.watchId() != 0 && watchers.used(spec.watchId()) ? DUPLICATE_ID : null;
    }

    @Override
    public void reject(StreamRequest.Reject request) {
      outbox.control(new WatchMessage.Refused(request.reason(), history.revision()));
    }

    @Override
    public void cancel(StreamRequest.Cancel request) {
      Watcher watcher = watchers.remove(request.watchId());
      if (watcher != null) {
        roster.end(watcher);
        outbox.canceled(
            new WatchMessage.Canceled(watcher.id, history.revision()), watcher.queueIfMade());
      }
    }

    @Override
    public void progress(StreamRequest.Progress request) {
      long dispatched = roster.dispatched();
      if (watchers.active() > 0 && watchers.progressHolds(dispatched)) {
        counters.progressAnswered.increment();
        outbox.progressOfAll(dispatched);
        return;
      }
      counters.progressSilent.increment();
      if (watchers.takeOwnProgressTurn(nowNanos, OWN_PROGRESS_PAUSE_NANOS)) {
        watchers.forEach(
            watcher -> {
              if (watcher.progressHolds(dispatched)) {
                outbox.progress(watcher.queue(), dispatched);
              }
            });
      }
    }
  }
}
