package io.tidemark.statemachine.backup.bbolt;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds one bucket's tree from ascending keys. A page is written as soon as the next element
 * doesn't fit, children before their parent, so that one page of each level is in memory. One
 * thread.
 */
final class TreeWriter {
  /** Buckets up to this size lie inside their parent's element. */
  private static final int INLINE_BYTES = Format.PAGE_BYTES / 4;

  private record Leaf(int flags, ByteString key, ByteString value) {}

  private record Child(ByteString firstKey, long page) {}

  private static final class Branch {
    final List<Child> children = new ArrayList<>();
    int bytes = Format.PAGE_HEADER_BYTES;
    boolean written;
  }

  private final PageRun pages;
  private final List<Leaf> leaf = new ArrayList<>();
  private final List<Branch> branches = new ArrayList<>();
  private int leafBytes = Format.PAGE_HEADER_BYTES;
  private ByteString last = ByteString.EMPTY;

  TreeWriter(PageRun pages) {
    this.pages = pages;
  }

  void add(int flags, ByteString key, ByteString value) throws IOException {
    if (ByteString.unsignedLexicographicalComparator().compare(last, key) >= 0) {
      throw new IllegalArgumentException("keys don't ascend");
    }
    last = key;
    int bytes = Math.addExact(Format.ELEMENT_BYTES + key.size(), value.size());
    if (!leaf.isEmpty() && (long) leafBytes + bytes > Format.PAGE_BYTES) {
      flushLeaf();
    }
    leaf.add(new Leaf(flags, key, value));
    leafBytes = Math.addExact(leafBytes, bytes);
  }

  /** Ends the tree and returns the value of the bucket's element in its parent. */
  ByteString finish() throws IOException {
    if (branches.isEmpty() && leafBytes <= INLINE_BYTES) {
      byte[] element = new byte[Format.BUCKET_HEADER_BYTES + leafBytes];
      byte[] page = new byte[leafBytes];
      fillLeaf(page, 0, 0);
      System.arraycopy(page, 0, element, Format.BUCKET_HEADER_BYTES, leafBytes);
      return ByteString.copyFrom(element);
    }
    byte[] element = new byte[Format.BUCKET_HEADER_BYTES];
    Format.putLong(element, 0, finishPages());
    return ByteString.copyFrom(element);
  }

  /** Ends the tree and returns its root page, also of a small tree. */
  long finishPages() throws IOException {
    flushLeaf();
    for (int level = 0; ; level++) {
      Branch branch = branches.get(level);
      if (!branch.written && branch.children.size() == 1) {
        return branch.children.get(0).page();
      }
      flushBranch(level);
    }
  }

  private void flushLeaf() throws IOException {
    ByteString first = leaf.isEmpty() ? ByteString.EMPTY : leaf.get(0).key();
    byte[] page = pages.blank(leafBytes);
    fillLeaf(page, pages.next(), PageRun.pages(leafBytes) - 1);
    Child child = new Child(first, pages.write(page, leafBytes));
    leaf.clear();
    leafBytes = Format.PAGE_HEADER_BYTES;
    addChild(0, child);
  }

  private void fillLeaf(byte[] page, long id, int overflow) {
    Format.putHeader(page, id, Format.LEAF_PAGE, leaf.size(), overflow);
    int element = Format.PAGE_HEADER_BYTES;
    int content = element + leaf.size() * Format.ELEMENT_BYTES;
    for (Leaf entry : leaf) {
      Format.putInt(page, element, entry.flags());
      Format.putInt(page, element + 4, content - element);
      Format.putInt(page, element + 8, entry.key().size());
      Format.putInt(page, element + 12, entry.value().size());
      entry.key().copyTo(page, content);
      content += entry.key().size();
      entry.value().copyTo(page, content);
      content += entry.value().size();
      element += Format.ELEMENT_BYTES;
    }
  }

  private void addChild(int level, Child child) throws IOException {
    if (level == branches.size()) {
      branches.add(new Branch());
    }
    Branch branch = branches.get(level);
    int bytes = Format.ELEMENT_BYTES + child.firstKey().size();
    // Two at least: a parent of one child would make a chain without end of long keys.
    if (branch.children.size() > 1 && branch.bytes + bytes > Format.PAGE_BYTES) {
      flushBranch(level);
    }
    branch.children.add(child);
    branch.bytes += bytes;
  }

  private void flushBranch(int level) throws IOException {
    Branch branch = branches.get(level);
    byte[] page = pages.blank(branch.bytes);
    Format.putHeader(
        page,
        pages.next(),
        Format.BRANCH_PAGE,
        branch.children.size(),
        PageRun.pages(branch.bytes) - 1);
    int element = Format.PAGE_HEADER_BYTES;
    int content = element + branch.children.size() * Format.ELEMENT_BYTES;
    for (Child child : branch.children) {
      Format.putInt(page, element, content - element);
      Format.putInt(page, element + 4, child.firstKey().size());
      Format.putLong(page, element + 8, child.page());
      child.firstKey().copyTo(page, content);
      content += child.firstKey().size();
      element += Format.ELEMENT_BYTES;
    }
    Child written = new Child(branch.children.get(0).firstKey(), pages.write(page, branch.bytes));
    branch.children.clear();
    branch.bytes = Format.PAGE_HEADER_BYTES;
    branch.written = true;
    addChild(level + 1, written);
  }
}
