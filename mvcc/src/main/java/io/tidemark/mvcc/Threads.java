package io.tidemark.mvcc;

/** Waiting for a thread to end without losing an interrupt. */
final class Threads {
  private Threads() {}

  static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
