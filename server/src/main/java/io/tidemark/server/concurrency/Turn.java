package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.watch.EncodedEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * A place in a queue. Watches the one key that stands before it, and looks again when that is gone:
 * so whoever leaves the queue wakes one other, however many wait.
 *
 * <p>This member's own state is enough: it holds the key that waits, so also every older one, and
 * shows nothing deleted that isn't.
 */
final class Turn implements KeyWatch.Listener, AutoCloseable {
  private final Steps steps;
  private final ByteString prefix;
  private final long revision;
  private final KeyWatch watch;
  private final CompletableFuture<Void> comes = new CompletableFuture<>();

  private Turn(Steps steps, ByteString prefix, long revision) {
    this.steps = steps;
    this.prefix = prefix;
    this.revision = revision;
    this.watch = new KeyWatch(steps, this, () -> true);
  }

  /**
   * Takes a place.
   *
   * @param revision the create revision of the key that waits; this member has applied it
   */
  static Turn at(Steps steps, ByteString prefix, long revision) {
    Turn turn = new Turn(steps, prefix, revision);
    try {
      steps.lane().execute(turn::look);
    } catch (RejectedExecutionException full) {
      turn.failed(EtcdError.TOO_MANY_REQUESTS);
    }
    return turn;
  }

  /** Completes when no older key is left, or fails with {@link RefusedException}. */
  CompletableFuture<Void> comes() {
    return comes;
  }

  @Override
  public void events(List<EncodedEvent> events) {
    watch.stop();
    look();
  }

  @Override
  public void lost() {
    look();
  }

  @Override
  public void failed(EtcdError error) {
    comes.completeExceptionally(Steps.refused(error));
  }

  /** Gives the place up. */
  @Override
  public void close() {
    watch.close();
  }

  private void look() {
    try {
      RangeResponse before = steps.here(Keys.before(prefix, revision));
      if (before.getKvsCount() == 0) {
        comes.complete(null);
        return;
      }
      watch.start(
          new KeyRange(before.getKvs(0).getKey(), ByteString.EMPTY),
          before.getHeader().getRevision() + 1,
          true);
    } catch (RuntimeException e) {
      comes.completeExceptionally(e);
    }
  }
}
