package io.tidemark.statemachine.backup.bbolt;

import com.google.protobuf.ByteString;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a bbolt file in one go, front to back.
 *
 * <p>The first pages name the last ones, so the content is gone through twice: {@link #measure}
 * finds the layout, {@link #write} writes. Both times the source must give the same. Memory: one
 * page of each level, and the largest element. One thread.
 */
public final class BboltWriter {
  private static final int META_PAGES = 2;
  private static final long FREELIST_PAGE = 2;

  private final PageRun pages;
  private final TreeWriter root;
  private @Nullable TreeWriter bucket;

  private BboltWriter(PageRun pages) {
    this.pages = pages;
    this.root = new TreeWriter(pages);
  }

  /** A file's content: buckets in ascending order of their names. */
  @FunctionalInterface
  public interface Source {
    /** Writes all of it, the same each time. */
    void writeTo(BboltWriter out) throws IOException;
  }

  /**
   * Where everything goes.
   *
   * @param root page of the tree of buckets
   * @param pages of the whole file
   */
  public record Layout(long root, long pages) {
    /** Size of the file. */
    public long bytes() {
      return pages * Format.PAGE_BYTES;
    }
  }

  /**
   * Goes through the content without keeping it.
   *
   * @param passing sees pages of the right sizes; throws to give up
   */
  public static Layout measure(Source source, PageSink passing) throws IOException {
    return run(source, new Layout(0, 0), passing);
  }

  /**
   * Writes the file.
   *
   * @throws IllegalStateException if the content isn't what was measured
   */
  public static void write(Source source, Layout layout, PageSink sink) throws IOException {
    Layout written = run(source, layout, sink);
    if (!written.equals(layout)) {
      throw new IllegalStateException("measured " + layout + ", written " + written);
    }
  }

  private static Layout run(Source source, Layout layout, PageSink sink) throws IOException {
    PageRun pages = new PageRun(sink);
    BboltWriter writer = new BboltWriter(pages);
    for (int i = 0; i < META_PAGES; i++) {
      writer.meta(i, layout);
    }
    writer.emptyFreelist();
    source.writeTo(writer);
    if (writer.bucket != null) {
      throw new IllegalStateException("a bucket is still open");
    }
    long root = writer.root.finishPages();
    return new Layout(root, pages.next());
  }

  /** Begins the next bucket. */
  public void beginBucket() {
    if (bucket != null) {
      throw new IllegalStateException("a bucket is still open");
    }
    bucket = new TreeWriter(pages);
  }

  /** Adds an entry to the bucket that was begun; keys ascend. */
  public void put(ByteString key, ByteString value) throws IOException {
    open().add(0, key, value);
  }

  /** Ends the bucket. */
  public void endBucket(String name) throws IOException {
    ByteString element = open().finish();
    bucket = null;
    root.add(Format.BUCKET_ELEMENT, ByteString.copyFromUtf8(name), element);
  }

  private TreeWriter open() {
    TreeWriter current = bucket;
    if (current == null) {
      throw new IllegalStateException("no bucket is open");
    }
    return current;
  }

  /** Both metas are good; the one with the higher transaction counts. */
  private void meta(int number, Layout layout) throws IOException {
    byte[] page = pages.blank(Format.PAGE_BYTES);
    int at = Format.PAGE_HEADER_BYTES;
    Format.putHeader(page, number, Format.META_PAGE, 0, 0);
    Format.putInt(page, at, Format.MAGIC);
    Format.putInt(page, at + 4, Format.VERSION);
    Format.putInt(page, at + 8, Format.PAGE_BYTES);
    Format.putLong(page, at + 16, layout.root());
    Format.putLong(page, at + 32, FREELIST_PAGE);
    Format.putLong(page, at + 40, layout.pages());
    Format.putLong(page, at + 48, number);
    Format.putLong(page, at + Format.META_BYTES, Format.checksum(page, at, Format.META_BYTES));
    pages.write(page, Format.PAGE_BYTES);
  }

  private void emptyFreelist() throws IOException {
    byte[] page = pages.blank(Format.PAGE_BYTES);
    Format.putHeader(page, FREELIST_PAGE, Format.FREELIST_PAGE, 0, 0);
    pages.write(page, Format.PAGE_BYTES);
  }
}
