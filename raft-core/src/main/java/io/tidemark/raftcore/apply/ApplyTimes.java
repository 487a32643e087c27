package io.tidemark.raftcore.apply;

import com.google.protobuf.ByteString;
import io.tidemark.clusterconfig.GoDuration;
import io.tidemark.raftcore.metrics.LinePace;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.statemachine.EntrySummary;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how long entries take to be applied, and logs the slow ones in etcd's words, not more
 * than some each second. The clock is read around applying, never by it. Thread: apply, but for
 * {@link #logFromNowOn}.
 */
public final class ApplyTimes {
  private static final Logger LOG = LoggerFactory.getLogger(ApplyTimes.class);

  private final WriteMetrics metrics;
  private final Duration slow;
  private final LinePace pace = new LinePace(System.nanoTime());
  private volatile boolean told;

  /**
   * @param slow applying for longer than this is logged
   */
  public ApplyTimes(WriteMetrics metrics, Duration slow) {
    this.metrics = metrics;
    this.slow = slow;
  }

  /** From now on slow ones are logged: until then everything in a new process is slow. */
  public void logFromNowOn() {
    told = true;
  }

  /** An entry was applied between these two times of {@link System#nanoTime}. */
  public void applied(ByteString entry, long index, long beganNanos, long endedNanos) {
    long nanos = endedNanos - beganNanos;
    metrics.applied(nanos);
    if (nanos <= slow.toNanos()) {
      return;
    }
    metrics.applyWasSlow();
    if (told && pace.admits(endedNanos)) {
      pace.withOmitted(LOG.atWarn())
          .addKeyValue("took", GoDuration.millis(nanos))
          .addKeyValue("expected-duration", GoDuration.millis(slow.toNanos()))
          .addKeyValue("index", index)
          .addKeyValue("request", EntrySummary.of(entry))
          .log("apply request took too long");
    }
  }
}
