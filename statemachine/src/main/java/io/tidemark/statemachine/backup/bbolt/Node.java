package io.tidemark.statemachine.backup.bbolt;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

/** A page of a tree, with every number in it checked before it is used. Immutable. */
final class Node {
  private final byte[] bytes;
  private final String name;
  private final boolean leaf;
  private final int count;

  private Node(byte[] bytes, String name, boolean leaf, int count) {
    this.bytes = bytes;
    this.name = name;
    this.leaf = leaf;
    this.count = count;
  }

  /**
   * Looks at a page.
   *
   * @param bytes the page with the pages it runs over to
   * @param name of the page, for messages
   */
  static Node of(byte[] bytes, String name) throws DamagedFileException {
    if (bytes.length < Format.PAGE_HEADER_BYTES) {
      throw new DamagedFileException(name + " is cut short");
    }
    int flags = Format.getShort(bytes, 8);
    if (flags != Format.LEAF_PAGE && flags != Format.BRANCH_PAGE) {
      throw new DamagedFileException(name + " is no page of a tree: flags " + flags);
    }
    int count = Format.getShort(bytes, 10);
    if (Format.PAGE_HEADER_BYTES + (long) count * Format.ELEMENT_BYTES > bytes.length) {
      throw new DamagedFileException(name + " holds fewer elements than it says");
    }
    return new Node(bytes, name, flags == Format.LEAF_PAGE, count);
  }

  boolean isLeaf() {
    return leaf;
  }

  int count() {
    return count;
  }

  ByteString key(int index) throws DamagedFileException {
    int at = element(index);
    return leaf
        ? slice(at, Format.getInt(bytes, at + 4), 0, Format.getInt(bytes, at + 8))
        : slice(at, Format.getInt(bytes, at), 0, Format.getInt(bytes, at + 4));
  }

  /** For a leaf. */
  ByteString value(int index) throws DamagedFileException {
    int at = element(index);
    return slice(
        at,
        Format.getInt(bytes, at + 4),
        Format.getInt(bytes, at + 8),
        Format.getInt(bytes, at + 12));
  }

  /** For a leaf. */
  boolean isBucket(int index) {
    return (Format.getInt(bytes, element(index)) & Format.BUCKET_ELEMENT) != 0;
  }

  /** For a branch. */
  long child(int index) {
    return Format.getLong(bytes, element(index) + 8);
  }

  private static int element(int index) {
    return Format.PAGE_HEADER_BYTES + index * Format.ELEMENT_BYTES;
  }

  /** All four are unsigned in the file. */
  private ByteString slice(int element, int position, int skip, int length)
      throws DamagedFileException {
    long from = element + Integer.toUnsignedLong(position) + Integer.toUnsignedLong(skip);
    long size = Integer.toUnsignedLong(length);
    if (from + size > bytes.length) {
      throw new DamagedFileException(name + " points behind its own end");
    }
    return UnsafeByteOperations.unsafeWrap(bytes, (int) from, (int) size);
  }
}
