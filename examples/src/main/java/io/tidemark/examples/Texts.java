package io.tidemark.examples;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Texts as bytes, and answers within ten seconds. */
final class Texts {
  private static final long PATIENCE_SECONDS = 10;

  private Texts() {}

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  static String text(ByteSequence bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Ends a lease; one that has run out already is as good. */
  static void end(Client client, long lease) {
    try {
      answer(client.getLeaseClient().revoke(lease));
    } catch (IllegalStateException gone) {
      // Or it will be: nobody renews it.
    }
  }

  /**
   * Whether a call that waits failed for good. Any other failure is one of the member that it waited
   * at: waiting again under the same lease keeps the place in the queue.
   */
  static boolean leaseIsGone(Throwable failure) {
    return failure.toString().contains("requested lease not found");
  }

  /**
   * The answer to a call that may be made again: a member that has just lost its leader says so, and
   * the next attempt goes to another one.
   */
  static <T> T answerInTheEnd(Supplier<CompletableFuture<T>> call) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      try {
        return answer(call.get());
      } catch (IllegalStateException failed) {
        if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
          throw failed;
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  /** The answer to a call. */
  static <T> T answer(CompletableFuture<T> call) {
    try {
      return call.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the call failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer within " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
