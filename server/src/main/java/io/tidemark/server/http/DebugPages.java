package io.tidemark.server.http;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * {@code /debug/pprof/}: what a JVM has in place of Go's profiles, under the paths that etcd's
 * have. There are names of classes, methods and threads in them, and nothing of any key, value,
 * variable or flag: anybody may ask. One question at a time, and on a thread of their own.
 */
public final class DebugPages implements AutoCloseable {
  private static final String INDEX =
      """
      goroutine          all threads, what they do and what they wait for
      heap               objects by class; with ?gc=1 those that are in use
      profile?seconds=N  where time and memory go, for Java Mission Control or `jfr print`
      """;

  private static final int DEFAULT_SECONDS = 30;
  private static final int MOST_SECONDS = 300;
  private static final long MOST_BYTES = 16L << 20;
  private static final Duration SAMPLED_EVERY = Duration.ofMillis(20);

  /** Recordings know variables and flags of the process too; these events don't. */
  private static final List<String> EVENTS =
      List.of(
          "jdk.ObjectAllocationSample",
          "jdk.JavaMonitorEnter",
          "jdk.ThreadPark",
          "jdk.FileForce",
          "jdk.GarbageCollection",
          "jdk.GCPhasePause",
          "jdk.CPULoad",
          "jdk.ThreadCPULoad");

  private final ExecutorService thread;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile @Nullable Recording recording;

  /** Pages of the JVM that this member lives in. */
  public DebugPages(String member) {
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "tidemark-" + member + "-debug");
              made.setDaemon(true);
              return made;
            });
  }

  /** Adds them. */
  public void register(Pages pages) {
    pages
        .addGet("/debug/pprof", question -> index())
        .addGet(
            "/debug/pprof/",
            question ->
                question.path().endsWith("/pprof/")
                    ? index()
                    : CompletableFuture.completedFuture(HttpAnswer.notFound()))
        .addGet("/debug/pprof/goroutine", question -> asked("threadPrint", "-l"))
        .addGet(
            "/debug/pprof/heap",
            question ->
                question.parameters("gc").contains("1")
                    ? asked("gcClassHistogram")
                    : asked("gcClassHistogram", "-all"))
        .addGet("/debug/pprof/profile", this::profile);
  }

  private static CompletionStage<HttpAnswer> index() {
    return CompletableFuture.completedFuture(HttpAnswer.text(200, INDEX));
  }

  /** What {@code jcmd} says to this. */
  private CompletionStage<HttpAnswer> asked(String command, String... words) {
    return alone(
        free ->
            free.thenApplyAsync(unused -> HttpAnswer.text(200, diagnosis(command, words)), thread));
  }

  private static String diagnosis(String command, String... words) {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  command,
                  new Object[] {words},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException(command, e);
    }
  }

  private CompletionStage<HttpAnswer> profile(HttpQuestion question) {
    List<String> given = question.parameters("seconds");
    int seconds = given.isEmpty() ? DEFAULT_SECONDS : whole(given.get(0));
    if (seconds < 1 || seconds > MOST_SECONDS) {
      return CompletableFuture.completedFuture(
          HttpAnswer.text(400, "seconds must be a number from 1 to " + MOST_SECONDS + "\n"));
    }
    return alone(
        free ->
            free.thenApplyAsync(unused -> begun(), thread)
                .thenApplyAsync(
                    DebugPages::ended,
                    CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS, thread)));
  }

  private static int whole(String text) {
    return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
  }

  private Recording begun() {
    Recording begun = new Recording();
    recording = begun;
    begun.setMaxSize(MOST_BYTES);
    begun.enable("jdk.ExecutionSample").withPeriod(SAMPLED_EVERY);
    begun.enable("jdk.NativeMethodSample").withPeriod(SAMPLED_EVERY);
    EVENTS.forEach(begun::enable);
    begun.start();
    return begun;
  }

  private static HttpAnswer ended(Recording recording) {
    try (recording) {
      recording.stop();
      try (InputStream in = recording.getStream(null, null)) {
        return new HttpAnswer(
            200,
            "application/octet-stream",
            ByteString.readFrom(in),
            Map.of("content-disposition", "attachment; filename=\"profile.jfr\""),
            null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unless another one is being answered: what they ask for costs all who live here. */
  private CompletionStage<HttpAnswer> alone(
      Function<CompletableFuture<Void>, CompletableFuture<HttpAnswer>> question) {
    if (!busy.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(
          HttpAnswer.text(503, "another profile is being made\n"));
    }
    return question
        .apply(CompletableFuture.completedFuture(null))
        .whenComplete((answer, failure) -> busy.set(false));
  }

  /** Ends a profile that is being made; whoever waits for it gets no answer. */
  @Override
  public void close() {
    thread.shutdownNow();
    Recording running = recording;
    if (running != null) {
      running.close();
    }
  }
}
