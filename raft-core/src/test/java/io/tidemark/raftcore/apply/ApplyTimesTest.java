package io.tidemark.raftcore.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.EntryCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log says of entries that take long, by a clock that the test reads out. */
class ApplyTimesTest {
  private static final ByteString ENTRY = EntryCodec.encode(new BatchId(1, 1, 1), List.of());
  private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(200);

  private final Logger log = (Logger) LoggerFactory.getLogger(ApplyTimes.class);
  private final ListAppender<ILoggingEvent> told = new ListAppender<>();
  private final WriteMetrics metrics = new WriteMetrics(new MetricRegistry());
  private final ApplyTimes times = new ApplyTimes(metrics, Duration.ofMillis(100));
  private long now = System.nanoTime();

  @BeforeEach
  void listen() {
    log.setAdditive(false);
    told.start();
    log.addAppender(told);
  }

  @AfterEach
  void stopListening() {
    log.detachAppender(told);
    log.setAdditive(true);
  }

  private void applied(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      times.applied(ENTRY, 7, now, now + nanos);
    }
  }

  private List<Object> pairs(int line) {
    return told.list.get(line).getKeyValuePairs().stream()
        .<Object>map(pair -> pair.key + "=" + pair.value)
        .toList();
  }

  @Test
  void nothingIsToldOfTheStart() {
    applied(3, SLOW);
    assertEquals(List.of(), told.list);
    assertEquals(3, metrics.slowApplies());
  }

  /** Ten lines each second; the first one afterwards says how many there would have been. */
  @Test
  void aFloodIsCountedAndNotTold() {
    times.logFromNowOn();
    applied(5, TimeUnit.MILLISECONDS.toNanos(100));
    assertEquals(List.of(), told.list, "as long as is wanted");
    applied(1000, SLOW);
    assertEquals(10, told.list.size());
    now += TimeUnit.SECONDS.toNanos(2);
    applied(15, SLOW);
    assertEquals(20, told.list.size());
    assertEquals(1015, metrics.slowApplies());
    for (ILoggingEvent line : told.list) {
      assertEquals(Level.WARN, line.getLevel());
      assertEquals("apply request took too long", line.getFormattedMessage());
    }
    List<Object> plain =
        List.of("took=200.000ms", "expected-duration=100.000ms", "index=7", "request=no command");
    assertEquals(plain, pairs(0));
    assertEquals(
        List.of(
            "slow ones not logged before=990",
            "took=200.000ms",
            "expected-duration=100.000ms",
            "index=7",
            "request=no command"),
        pairs(10));
    assertEquals(plain, pairs(11));
  }
}
