package io.tidemark.server.auth;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hashes and checks passwords with bcrypt, which takes tens of milliseconds of CPU on purpose: only
 * on the threads of {@link #lane}. Half of the processors at most work on it, so that logins don't
 * starve the rest.
 *
 * <p>Queue bound: count; full policy: {@link java.util.concurrent.RejectedExecutionException},
 * which callers report as "too many requests".
 */
final class Passwords implements AutoCloseable {
  /** bcrypt looks no further. */
  private static final int BYTES_MAX = 72;

  private static final int SALT_AND_HASH_LETTERS = 53;

  private static final int WAITING_MAX = 1_000;

  private static final BCrypt.Verifyer VERIFIER =
      BCrypt.verifyer(
          BCrypt.Version.VERSION_2A, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2A));

  private final int cost;
  private final ThreadPoolExecutor lane;
  private final byte[] nobodysHash;

  /**
   * @param cost binary logarithm of the work for a new hash, 4 to 31
   */
  Passwords(String member, int cost) {
    this.cost = cost;
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    AtomicInteger number = new AtomicInteger();
    this.lane =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread thread =
                  new Thread(task, "tidemark-" + member + "-password-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    // Salt and hash of zeros: nobody's password, and as much work as anybody's.
    this.nobodysHash =
        String.format(Locale.ROOT, "$2a$%02d$%s", cost, ".".repeat(SALT_AND_HASH_LETTERS))
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** The threads for this work. */
  Executor lane() {
    return lane;
  }

  /** Whether bcrypt looks at all of it. */
  static boolean isShortEnough(String password) {
    return password.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX;
  }

  /** A new hash of a password that is short enough, in the text form that etcd stores. */
  ByteString hash(String password) {
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    try {
      return ByteString.copyFrom(BCrypt.withDefaults().hash(cost, bytes));
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /**
   * Whether the password is the hashed one. Takes its time also for nobody, so that an answer
   * doesn't tell whether there is such a user.
   *
   * @param hash null for nobody
   */
  boolean matches(String password, @Nullable ByteString hash) {
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] stored = hash == null || hash.isEmpty() ? nobodysHash : hash.toByteArray();
      boolean same = VERIFIER.verify(bytes, stored).verified;
      return same && stored != nobodysHash;
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  @Override
  public void close() {
    lane.shutdownNow();
  }
}
