package io.tidemark.watch;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one agent on its own named thread; the only place of this module that makes threads. An
 * exception of the agent is a bug or a fault of the store: it ends the loop and is reported.
 */
final class AgentLoop implements AutoCloseable {
  /** Something with work to do. */
  interface Agent {
    /** One bounded turn; says how much was done. */
    int doWork();

    /** How long the agent can wait when nobody signals it. */
    long idleNanos();
  }

  private static final long CLOSE_MILLIS = 5_000;

  private final String name;
  private final Agent agent;
  private final Consumer<Throwable> onFault;
  private volatile @Nullable Thread thread;
  private volatile boolean signalled;
  private volatile boolean running = true;

  AgentLoop(String name, Agent agent, Consumer<Throwable> onFault) {
    this.name = name;
    this.agent = agent;
    this.onFault = onFault;
  }

  void start() {
    Thread started = new Thread(this::run, name);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  /** There may be work. Thread: any; costs a volatile read while a signal is pending. */
  void signal() {
    if (!signalled) {
      signalled = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    try {
      while (running) {
        signalled = false;
        // A signal from here on either is seen below or makes the park return at once.
        if (agent.doWork() == 0 && !signalled && running) {
          LockSupport.parkNanos(this, agent.idleNanos());
        }
      }
    } catch (RuntimeException | Error fault) {
      onFault.accept(fault);
    }
  }

  /** Stops after the running turn. */
  @Override
  public void close() {
    running = false;
    Thread started = thread;
    if (started == null || started == Thread.currentThread()) {
      return;
    }
    LockSupport.unpark(started);
    try {
      started.join(CLOSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
