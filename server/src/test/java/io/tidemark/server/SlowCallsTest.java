package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What the log says of calls that take longer than is wanted, on a real member. */
@Timeout(60)
class SlowCallsTest {
  private static final String SECRET = "s3cret";
  private static final String CALL = "request stats";
  private static final String APPLY = "apply request took too long";

  private final Lines lines = new Lines();
  private final Logger log = (Logger) LoggerFactory.getLogger("io.tidemark");
  private Level before;

  @BeforeEach
  void listen() {
    before = log.getLevel();
    log.setLevel(Level.WARN);
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    log.detachAppender(lines);
    log.setLevel(before);
  }

  private record Line(String message, Map<String, String> pairs) {
    String told(String name) {
      return pairs.getOrDefault(name, "");
    }
  }

  private static final class Lines extends AppenderBase<ILoggingEvent> {
    final BlockingQueue<Line> all = new LinkedBlockingQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      assertEquals(Level.WARN, event.getLevel());
      all.add(
          new Line(
              event.getFormattedMessage(),
              event.getKeyValuePairs() == null
                  ? Map.of()
                  : event.getKeyValuePairs().stream()
                      .collect(Collectors.toMap(p -> p.key, p -> String.valueOf(p.value)))));
    }

    /** The next such line; others are passed over. */
    Line next(Predicate<Line> wanted) throws InterruptedException {
      while (true) {
        Line line = all.poll(20, TimeUnit.SECONDS);
        assertNotNull(line, "no such line");
        assertFalse(line.toString().contains(SECRET), line.toString());
        if (wanted.test(line)) {
          return line;
        }
      }
    }
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static Predicate<Line> of(String message, String request) {
    return line -> line.message.equals(message) && request.equals(line.told("request"));
  }

  private static Predicate<Line> callOf(String method) {
    return line -> line.message.equals(CALL) && ("/" + method).equals(line.told("response type"));
  }

  @Test
  void slowOnesAreToldWithTheirStageAndWithoutSecrets(@TempDir Path data) throws Exception {
    try (LoneMember lone =
        LoneMember.start(
            data, "--warning-apply-duration=1ns", "--warning-unary-request-duration=1ns")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(lone.channel);
      kv.put(PutRequest.newBuilder().setKey(bytes("k")).setValue(bytes(SECRET)).build());
      Line applied = lines.next(of(APPLY, "put key:\"k\" value_size:6"));
      assertTrue(applied.told("took").matches("[0-9]+\\.[0-9]{3}ms"), applied.toString());
      assertEquals("0.000ms", applied.told("expected-duration"));
      Line put = lines.next(callOf("etcdserverpb.KV/Put"));
      assertEquals("key:\"k\" value_size:6", put.told("request"));
      assertEquals("OK", put.told("status"));
      assertTrue(put.told("remote").startsWith("/127.0.0.1:"), put.toString());
      List<String> stages = List.of("handling", "queue", "commit", "apply", "reply");
      assertTrue(stages.contains(put.told("longest stage")), put.toString());

      kv.range(RangeRequest.newBuilder().setKey(bytes("k")).build());
      Line read = lines.next(of(APPLY, "key:\"k\""));
      assertEquals("read-only range ", read.told("prefix"));
      Line range = lines.next(callOf("etcdserverpb.KV/Range"));
      stages = List.of("handling", "barrier", "thread", "read", "reply");
      assertTrue(stages.contains(range.told("longest stage")), range.toString());

      ByteString large = ByteString.copyFrom(new byte[100_000]);
      kv.put(PutRequest.newBuilder().setKey(bytes("l")).setValue(large).build());
      assertEquals(
          "key:\"l\" value_size:100000", lines.next(callOf("etcdserverpb.KV/Put")).told("request"));

      AuthGrpc.newBlockingStub(lone.channel)
          .userAdd(AuthUserAddRequest.newBuilder().setName("u").setPassword(SECRET).build());
      assertFalse(lines.next(callOf("etcdserverpb.Auth/UserAdd")).pairs.containsKey("request"));
      assertTrue(lone.member.raft().writeMetrics().slowApplies() >= 3);
    }
  }

  /** Waiting for others is what a lock is for; what fails counts like what doesn't. */
  @Test
  void locksAreLeftOutAndRefusalsAreNot(@TempDir Path data) throws Exception {
    try (LoneMember lone = LoneMember.start(data, "--warning-unary-request-duration=1ns")) {
      LockGrpc.newBlockingStub(lone.channel)
          .lock(LockRequest.newBuilder().setName(bytes("lock")).build());
      try {
        var unused = KVGrpc.newBlockingStub(lone.channel).put(PutRequest.newBuilder().build());
      } catch (io.grpc.StatusRuntimeException refused) {
        Line line = lines.next(any -> any.message.equals(CALL));
        assertEquals("/etcdserverpb.KV/Put", line.told("response type"));
        assertEquals("INVALID_ARGUMENT", line.told("status"));
        return;
      }
      throw new AssertionError("an empty key was taken");
    }
  }

  /** An overload isn't made worse by telling of it. */
  @Test
  void aFloodOfThemIsCountedAndNotTold(@TempDir Path data) throws Exception {
    try (LoneMember lone = LoneMember.start(data, "--warning-unary-request-duration=1ns")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(lone.channel);
      RangeRequest get = RangeRequest.newBuilder().setKey(bytes("k")).setSerializable(true).build();
      long began = System.nanoTime();
      int calls = 0;
      Line told = null;
      while (told == null) {
        kv.range(get);
        calls++;
        for (Line line = lines.all.poll(); line != null; line = lines.all.poll()) {
          told = line.pairs.containsKey("slow ones not logged before") ? line : told;
        }
        assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(30));
      }
      int omitted = Integer.parseInt(told.told("slow ones not logged before"));
      assertTrue(omitted > 0 && omitted <= calls - 10, omitted + " of " + calls);
    }
  }

  /** How fast this machine is just now is no question here, so the limits are far away. */
  @Test
  void quickOnesAreNotTold(@TempDir Path data) throws Exception {
    try (LoneMember lone =
        LoneMember.start(
            data, "--warning-apply-duration=1m", "--warning-unary-request-duration=1m")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(lone.channel);
      for (int n = 0; n < 100; n++) {
        kv.put(PutRequest.newBuilder().setKey(bytes("k" + n)).build());
      }
      assertEquals(List.of(), List.copyOf(lines.all));
    }
  }
}
