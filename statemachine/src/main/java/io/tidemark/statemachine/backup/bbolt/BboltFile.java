package io.tidemark.statemachine.backup.bbolt;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a bbolt file. One thread; blocks on the disk. Memory: a page of each level of a tree.
 *
 * <p>Nothing in the file is believed: every offset, size, page number and order of keys is checked
 * while it is read, and what doesn't fit is a {@link DamagedFileException}. The list of free pages
 * isn't looked at.
 */
public final class BboltFile implements AutoCloseable {
  private static final int DEPTH_MAX = 64;
  private static final int PAGE_BYTES_MAX = 64 * 1024;
  private static final int[] PAGE_SIZES = {4096, 8192, 16384, 32768, 65536, 1024, 2048};

  private final FileChannel channel;
  private final long bytes;
  private final Meta meta;

  /** What of a meta page matters. */
  private record Meta(int pageBytes, long root, long pages, long transaction) {}

  /** Sees entries in ascending order of keys. */
  @FunctionalInterface
  public interface Visitor {
    void entry(ByteString key, ByteString value) throws IOException;
  }

  private interface ElementVisitor {
    void element(ByteString key, ByteString value, boolean bucket) throws IOException;
  }

  private BboltFile(FileChannel channel, long bytes) throws IOException {
    this.channel = channel;
    this.bytes = bytes;
    this.meta = newestMeta();
    if (meta.pages() > bytes / meta.pageBytes()) {
      throw new DamagedFileException(
          "the file is cut short: it says that it has "
              + meta.pages()
              + " pages, and holds "
              + bytes / meta.pageBytes());
    }
  }

  /**
   * Opens a file for reading.
   *
   * @param bytes how much of the file belongs to the format, from its begin on
   */
  public static BboltFile open(Path file, long bytes) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      return new BboltFile(channel, bytes);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Size of all pages in use, free ones included. */
  public long contentBytes() {
    return meta.pages() * meta.pageBytes();
  }

  /** Visits the names of the buckets. */
  public void buckets(Visitor visitor) throws IOException {
    ElementVisitor names =
        (key, value, bucket) -> {
          if (!bucket) {
            throw new DamagedFileException("an entry outside of all buckets");
          }
          visitor.entry(key, value);
        };
    new Walk(names).visit(page(meta.root()), 0);
  }

  /** Visits a bucket's entries; none if there is no such bucket. */
  public void entries(String name, Visitor visitor) throws IOException {
    ByteString wanted = ByteString.copyFromUtf8(name);
    buckets(
        (key, value) -> {
          if (key.equals(wanted)) {
            entriesOf(value, visitor);
          }
        });
  }

  /** Visits the entries of the bucket that {@link #buckets} showed with this value. */
  public void entriesOf(ByteString bucket, Visitor visitor) throws IOException {
    ElementVisitor plain =
        (key, value, nested) -> {
          if (nested) {
            throw new DamagedFileException("a bucket inside a bucket, which etcd never makes");
          }
          visitor.entry(key, value);
        };
    new Walk(plain).visit(root(bucket), 0);
  }

  /** The greatest key of a bucket; null if it is empty or isn't there. */
  public @Nullable ByteString lastKey(String name) throws IOException {
    ByteString wanted = ByteString.copyFromUtf8(name);
    @Nullable ByteString[] found = new @Nullable ByteString[1];
    buckets(
        (key, value) -> {
          if (key.equals(wanted)) {
            found[0] = lastKeyOf(value);
          }
        });
    return found[0];
  }

  private @Nullable ByteString lastKeyOf(ByteString bucket) throws IOException {
    Node node = root(bucket);
    for (int depth = 0; !node.isLeaf() && node.count() > 0; depth++) {
      if (depth > DEPTH_MAX) {
        throw new DamagedFileException("a tree is deeper than any real one");
      }
      node = page(node.child(node.count() - 1));
    }
    return node.count() == 0 ? null : node.key(node.count() - 1);
  }

  private Node root(ByteString bucket) throws IOException {
    if (bucket.size() < Format.BUCKET_HEADER_BYTES) {
      throw new DamagedFileException("a bucket's header is cut short");
    }
    long page = Format.getLong(bucket.substring(0, Format.BUCKET_HEADER_BYTES).toByteArray(), 0);
    return page == 0
        ? Node.of(
            bucket.substring(Format.BUCKET_HEADER_BYTES).toByteArray(), "a bucket's inline page")
        : page(page);
  }

  /** One way through a tree. */
  private final class Walk {
    private final ElementVisitor visitor;
    private @Nullable ByteString last;

    Walk(ElementVisitor visitor) {
      this.visitor = visitor;
    }

    void visit(Node node, int depth) throws IOException {
      if (depth > DEPTH_MAX) {
        throw new DamagedFileException("a tree is deeper than any real one");
      }
      for (int i = 0; i < node.count(); i++) {
        ByteString key = node.key(i);
        if (node.isLeaf()) {
          ascending(key);
          visitor.element(key, node.value(i), node.isBucket(i));
        } else {
          visit(page(node.child(i)), depth + 1);
        }
      }
    }

    /** Also ends a walk in circles. */
    private void ascending(ByteString key) throws DamagedFileException {
      ByteString before = last;
      if (before != null
          && ByteString.unsignedLexicographicalComparator().compare(before, key) >= 0) {
        throw new DamagedFileException("keys are out of order");
      }
      last = key;
    }
  }

  private Node page(long id) throws IOException {
    String name = "page " + Long.toUnsignedString(id);
    if (id < 2 || id >= meta.pages()) {
      throw new DamagedFileException(name + " is outside of the file");
    }
    byte[] header = read(id * meta.pageBytes(), Format.PAGE_HEADER_BYTES);
    if (Format.getLong(header, 0) != id) {
      throw new DamagedFileException(
          name + " says that it is page " + Long.toUnsignedString(Format.getLong(header, 0)));
    }
    long count = 1 + Integer.toUnsignedLong(Format.getInt(header, 12));
    if (count > meta.pages() - id || count * meta.pageBytes() > Integer.MAX_VALUE) {
      throw new DamagedFileException(name + " runs over the file's end");
    }
    return Node.of(read(id * meta.pageBytes(), (int) count * meta.pageBytes()), name);
  }

  /** Of two metas one may be half written; the other one counts then. */
  private Meta newestMeta() throws IOException {
    Meta first = metaAt(0);
    Meta second = null;
    if (first != null) {
      second = metaAt(first.pageBytes());
    } else {
      for (int size : PAGE_SIZES) {
        second = second == null ? metaAt(size) : second;
      }
    }
    if (first == null && second == null) {
      throw new DamagedFileException("no bbolt file: neither meta page is good");
    }
    if (first == null || second == null) {
      return second == null ? Objects.requireNonNull(first) : second;
    }
    return first.transaction() >= second.transaction() ? first : second;
  }

  private @Nullable Meta metaAt(long offset) throws IOException {
    int length = Format.PAGE_HEADER_BYTES + Format.META_BYTES + Long.BYTES;
    if (offset + length > bytes) {
      return null;
    }
    byte[] page = read(offset, length);
    int at = Format.PAGE_HEADER_BYTES;
    int pageBytes = Format.getInt(page, at + 8);
    boolean good =
        Format.getInt(page, at) == Format.MAGIC
            && Format.getInt(page, at + 4) == Format.VERSION
            && Format.getLong(page, at + Format.META_BYTES)
                == Format.checksum(page, at, Format.META_BYTES)
            && pageBytes >= 512
            && pageBytes <= PAGE_BYTES_MAX
            && Integer.bitCount(pageBytes) == 1;
    return good
        ? new Meta(
            pageBytes,
            Format.getLong(page, at + 16),
            Format.getLong(page, at + 40),
            Format.getLong(page, at + 48))
        : null;
  }

  private byte[] read(long offset, int length) throws IOException {
    byte[] out = new byte[length];
    ByteBuffer into = ByteBuffer.wrap(out);
    while (into.hasRemaining()) {
      if (channel.read(into, offset + into.position()) < 0) {
        throw new DamagedFileException("the file is cut short");
      }
    }
    return out;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
