package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.KeyRange;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Distinct ranges, to find all that contain a key: a treap ordered by (start, end), each node
 * knowing the furthest end below it. A lookup costs O(log n + matches) for ranges that don't nest
 * deeply. Thread: one.
 *
 * @param <M> who is interested
 */
final class SpanTree<M> {
  private final SplittableRandom priorities = new SplittableRandom(42);
  private @Nullable KeySpan<M> root;

  KeySpan<M> getOrAdd(KeyRange range) {
    KeySpan<M> node = root;
    while (node != null) {
      int order = compare(range, node);
      if (order == 0) {
        return node;
      }
      node = order < 0 ? node.left : node.right;
    }
    KeySpan<M> added = new KeySpan<>(range, priorities.nextInt());
    root = insert(root, added);
    return added;
  }

  void remove(KeySpan<M> span) {
    root = remove(root, span);
  }

  boolean isEmpty() {
    return root == null;
  }

  /** Adds every span that contains the key. */
  void find(ByteString key, List<KeySpan<M>> found) {
    find(root, key, found);
  }

  /** Adds every span. */
  void all(List<KeySpan<M>> spans) {
    all(root, spans);
  }

  private static <M> void all(@Nullable KeySpan<M> node, List<KeySpan<M>> spans) {
    if (node != null) {
      all(node.left, spans);
      spans.add(node);
      all(node.right, spans);
    }
  }

  private static <M> void find(@Nullable KeySpan<M> node, ByteString key, List<KeySpan<M>> found) {
    KeySpan<M> at = node;
    while (at != null && reaches(at.furthestEnd, key)) {
      find(at.left, key, found);
      if (KeyOrder.compare(at.range.key(), key) > 0) {
        return;
      }
      if (reaches(at.end, key)) {
        found.add(at);
      }
      at = at.right;
    }
  }

  private static <M> KeySpan<M> insert(@Nullable KeySpan<M> node, KeySpan<M> added) {
    if (node == null) {
      return added;
    }
    KeySpan<M> top = node;
    if (compare(added.range, node) < 0) {
      node.left = insert(node.left, added);
      if (node.left.priority < node.priority) {
        top = node.left;
        node.left = top.right;
        top.right = node;
      }
    } else {
      node.right = insert(node.right, added);
      if (node.right.priority < node.priority) {
        top = node.right;
        node.right = top.left;
        top.left = node;
      }
    }
    update(node);
    update(top);
    return top;
  }

  private static <M> @Nullable KeySpan<M> remove(@Nullable KeySpan<M> node, KeySpan<M> span) {
    if (node == null) {
      return null;
    }
    if (node == span) {
      return merge(node.left, node.right);
    }
    if (compare(span.range, node) < 0) {
      node.left = remove(node.left, span);
    } else {
      node.right = remove(node.right, span);
    }
    update(node);
    return node;
  }

  private static <M> @Nullable KeySpan<M> merge(
      @Nullable KeySpan<M> left, @Nullable KeySpan<M> right) {
    if (left == null) {
      return right;
    }
    if (right == null) {
      return left;
    }
    if (left.priority < right.priority) {
      left.right = merge(left.right, right);
      update(left);
      return left;
    }
    right.left = merge(left, right.left);
    update(right);
    return right;
  }

  private static <M> void update(KeySpan<M> node) {
    node.furthestEnd = further(further(node.end, node.left), node.right);
  }

  private static <M> @Nullable ByteString further(
      @Nullable ByteString end, @Nullable KeySpan<M> child) {
    if (child == null || end == null) {
      return end;
    }
    ByteString other = child.furthestEnd;
    return other == null || KeyOrder.compare(other, end) > 0 ? other : end;
  }

  private static boolean reaches(@Nullable ByteString end, ByteString key) {
    return end == null || KeyOrder.compare(key, end) < 0;
  }

  private static <M> int compare(KeyRange range, KeySpan<M> node) {
    int order = KeyOrder.compare(range.key(), node.range.key());
    return order != 0 ? order : KeyOrder.compare(range.rangeEnd(), node.range.rangeEnd());
  }
}
