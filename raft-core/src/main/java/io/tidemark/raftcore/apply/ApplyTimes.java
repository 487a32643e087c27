package io.tidemark.raftcore.apply;

import com.google.protobuf.ByteString;
import io.tidemark.clusterconfig.GoDuration;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.statemachine.EntrySummary;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how long entries take to be applied, and logs the slow ones in etcd's words. The clock
 * is read around applying, never by it. Thread: apply, but for {@link #logFromNowOn}.
 */
public final class ApplyTimes {
  private static final Logger LOG = LoggerFactory.getLogger(ApplyTimes.class);

  private final WriteMetrics metrics;
  private final Duration slow;
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

  /** An entry was applied in so much time. */
  public void applied(ByteString entry, long index, long nanos) {
    metrics.applied(nanos);
    if (nanos <= slow.toNanos()) {
      return;
    }
    metrics.applyWasSlow();
    if (told) {
      LOG.atWarn()
          .addKeyValue("took", GoDuration.millis(nanos))
          .addKeyValue("expected-duration", GoDuration.millis(slow.toNanos()))
          .addKeyValue("index", index)
          .addKeyValue("request", EntrySummary.of(entry))
          .log("apply request took too long");
    }
  }
}
