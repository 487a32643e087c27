package io.tidemark.statemachine.backup.bbolt;

import java.io.IOException;
import java.util.Arrays;

/** Numbers the pages of a file and hands them on in order. One thread. */
final class PageRun {
  private static final int KEPT_BYTES = 64 * 1024;

  private final PageSink sink;
  private byte[] buffer = new byte[Format.PAGE_BYTES];
  private long next;

  PageRun(PageSink sink) {
    this.sink = sink;
  }

  /** The page that is written next; the number of pages so far. */
  long next() {
    return next;
  }

  /** A zeroed buffer of whole pages for {@code bytes}; valid until the next one. */
  byte[] blank(int bytes) {
    int length = pages(bytes) * Format.PAGE_BYTES;
    boolean tooLarge = buffer.length > KEPT_BYTES && length <= KEPT_BYTES;
    if (buffer.length < length || tooLarge) {
      buffer = new byte[length];
    } else {
      Arrays.fill(buffer, 0, length, (byte) 0);
    }
    return buffer;
  }

  /** Writes what {@link #blank} gave for so many bytes; returns its first page. */
  long write(byte[] page, int bytes) throws IOException {
    long id = next;
    int count = pages(bytes);
    sink.accept(page, count * Format.PAGE_BYTES);
    next += count;
    return id;
  }

  static int pages(int bytes) {
    return (int) (((long) bytes + Format.PAGE_BYTES - 1) / Format.PAGE_BYTES);
  }
}
