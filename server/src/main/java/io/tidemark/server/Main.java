package io.tidemark.server;

import io.tidemark.clusterconfig.ConfigResult;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberConfigReader;
import io.tidemark.raftcore.FaultAdvice;
import io.tidemark.raftcore.FaultHandler;
import io.tidemark.raftcore.faultpoint.FaultPoint;
import io.tidemark.raftcore.faultpoint.FaultPointServer;
import io.tidemark.server.log.ProcessLog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one member as a process.
 *
 * <p>Exit status: 0 after help or version and when the member was removed from its cluster, 1 when
 * the member can't start or can't go on, 2 for a wrong configuration, 128 + n when signal n ended
 * it. A signal hands leadership over first.
 */
public final class Main {
  private static final int FAILED = 1;
  private static final int BAD_CONFIGURATION = 2;

  /** As a Go program that panics. */
  private static final int PANICKED = 2;

  /**
   * From the signal to the end. Hand-over takes up to half of it. What isn't closed by then is left
   * as a crash would leave it, which the next start copes with.
   */
  private static final long STOP_MILLIS = 1_800;

  private Main() {}

  /** Entry point. */
  public static void main(String[] args) {
    int status = MemberConfigReader.read(args, System.getenv()).on(new Start());
    System.out.flush();
    System.exit(status);
  }

  /** Each case gives the exit status; a valid configuration runs until the member fails. */
  private static final class Start implements ConfigResult.Cases<Integer> {
    @Override
    public Integer valid(ConfigResult.Valid valid) {
      try {
        ProcessLog.configure(valid.config().logging());
      } catch (IOException e) {
        System.err.println("tidemark: error verifying flags, " + e.getMessage());
        return BAD_CONFIGURATION;
      }
      Logger log = LoggerFactory.getLogger(Main.class);
      valid.warnings().forEach(log::warn);
      return run(valid.config(), log);
    }

    @Override
    public Integer invalid(ConfigResult.Invalid invalid) {
      List<String> problems = invalid.problems();
      problems.forEach(problem -> System.err.println("tidemark: " + problem));
      System.err.println("tidemark: see --help");
      return BAD_CONFIGURATION;
    }

    @Override
    public Integer help(ConfigResult.Help help) {
      System.out.println(help.text());
      return 0;
    }

    @Override
    public Integer version() {
      System.out.print(TidemarkVersion.reported(System.getenv("ETCD_COMPAT_VERSION")).text());
      return 0;
    }
  }

  /** gofail's own variable; nothing listens without it. */
  private static void faultPoints(Logger log) throws IOException {
    String address = System.getenv("GOFAIL_HTTP");
    if (address == null || address.isEmpty()) {
      return;
    }
    FaultPoint.endBy(
        message -> {
          System.err.println("tidemark: " + message);
          Runtime.getRuntime().halt(PANICKED);
        });
    var unused = FaultPointServer.listen(address);
    log.warn("fault points can be set at {}: whoever reaches it can end this member", address);
  }

  private static int run(MemberConfig config, Logger log) {
    End end = new End(log);
    Member member;
    try {
      faultPoints(log);
      member = Member.start(config, end);
    } catch (IOException | RuntimeException e) {
      log.error("member {} can't start: {}", config.name(), e.getMessage(), e);
      System.err.println("tidemark: can't start: " + e.getMessage());
      return FAILED;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(member, end, log), "tidemark-stop"));
    var unused =
        member
            .ready()
            .thenRun(
                () ->
                    log.atInfo()
                        .addKeyValue("member", config.name())
                        .addKeyValue("client-urls", config.urls().listenClient())
                        .log("ready to serve client requests"));
    return end.status.join();
  }

  /** Waits for the member's own reason to end. */
  private static final class End implements FaultHandler {
    private final Logger log;
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    /** A fault of what was let go unfinished is none. */
    private volatile boolean over;

    End(Logger log) {
      this.log = log;
    }

    @Override
    public void onFault(String member, String what, Throwable cause) {
      if (over) {
        return;
      }
      log.error("member {} can't go on: {}", member, what, cause);
      System.err.println("tidemark: can't go on: " + what + ": " + FaultAdvice.of(cause));
      status.complete(FAILED);
    }

    @Override
    public void onRemoved(String member) {
      log.warn("member {} has been permanently removed from the cluster", member);
      log.warn("the data-dir used by this member must be removed");
      status.complete(0);
    }
  }

  /** Bounded: whatever hangs, the process ends. */
  private static void stop(Member member, End end, Logger log) {
    log.info("member {} stops", member.name());
    ProcessLog.silenceLibraries();
    Thread closing = new Thread(member::close, "tidemark-" + member.name() + "-stop");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      log.info("member {} ends before all is closed", member.name());
      end.over = true;
      member.endBackgroundWork();
    } else {
      log.info("member {} stopped", member.name());
    }
  }
}
