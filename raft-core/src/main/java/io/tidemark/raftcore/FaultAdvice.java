package io.tidemark.raftcore;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What an administrator should do about a member that can't go on, or can't start, for its files.
 * Pure.
 */
public final class FaultAdvice {
  private static final String FULL = "No space left on device";

  /** The files are another process's. Not the damaged block of a store. */
  private static final Pattern LOCK = Pattern.compile("\\block", Pattern.CASE_INSENSITIVE);

  private static final String MAKE_ROOM =
      "the disk is full: make room and start the member again; nothing that was acknowledged is lost";

  private static final String REPLACE =
      "remove this member from the cluster and add it again with an empty data directory; never start it"
          + " on an older copy of its files";

  private FaultAdvice() {}

  /**
   * What is wrong and what to do, for a member that runs.
   *
   * @param cause as told to a {@link FaultHandler}
   */
  public static String of(Throwable cause) {
    String reason = reason(cause);
    if (isFull(cause)) {
      return reason + "; " + MAKE_ROOM;
    }
    return reason
        + "; check the disk and the log of the member: if its files are sound, start it again, else "
        + REPLACE;
  }

  /**
   * The failure to open files that were there, with what to do. What isn't about their content
   * stays what it is.
   *
   * @param what such as {@code the log}
   */
  static IOException opening(String what, Path where, Exception failure) {
    Throwable root = root(failure);
    if (isFull(failure)) {
      return new IOException(
          "can't open " + what + " in " + where + ": " + reason(failure) + "; " + MAKE_ROOM,
          failure);
    }
    if (root instanceof BindException
        || root instanceof AccessDeniedException
        || LOCK.matcher(reason(failure)).find()) {
      return failure instanceof IOException io ? io : new IOException(reason(failure), failure);
    }
    return new IOException(
        what
            + " in "
            + where
            + " is damaged or not whole: "
            + reason(failure)
            + "; nothing was changed. If files were lost or altered by accident, put the very same files"
            + " back; else "
            + REPLACE,
        failure);
  }

  /** The innermost message, in which a library says what it met. */
  private static String reason(Throwable failure) {
    Throwable root = root(failure);
    return root.getMessage() == null || root instanceof FileSystemException
        ? root.toString()
        : root.getMessage();
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }

  private static boolean isFull(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at.getMessage() != null && at.getMessage().contains(FULL)) {
        return true;
      }
    }
    return false;
  }
}
