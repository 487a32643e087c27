package io.tidemark.server.console;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.api.tidemarkpb.Child;
import io.tidemark.api.tidemarkpb.ChildrenRequest;
import io.tidemark.api.tidemarkpb.ChildrenResponse;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.ReadView;
import org.jspecify.annotations.Nullable;

/**
 * One level of a key space that knows no levels: keys that go on behind a separator stand for a
 * folder. Folders are skipped by seeking, so that the cost follows what is shown, not what is
 * stored. One thread.
 */
final class Folders {
  private static final int CHILDREN_MAX = 1000;
  private static final int CHILDREN_DEFAULT = 200;
  private static final ByteString ZERO = ByteString.copyFrom(new byte[] {0});

  private final ReadView view;
  private final ChildrenRequest request;
  private final KeyRange all;
  private final int limit;
  private final ChildrenResponse.Builder response = ChildrenResponse.newBuilder();

  /** Where to go on; null when there is nothing left. */
  private @Nullable ByteString from;

  private Folders(ReadView view, ChildrenRequest request) {
    this.view = view;
    this.request = request;
    this.all = KeyRange.prefix(request.getPrefix());
    this.limit = ConsoleService.limit(request.getLimit(), CHILDREN_DEFAULT, CHILDREN_MAX);
    ByteString after = request.getAfter();
    this.from = after.isEmpty() ? all.key() : behind(after, separatorIn(after) >= 0);
  }

  /**
   * What the request asks for, without a header. Its {@code after} must be below its prefix, if
   * there is one: reading goes on behind it.
   *
   * @throws io.tidemark.mvcc.RevisionException if its revision is compacted or in the future
   */
  static ChildrenResponse.Builder read(ReadView view, ChildrenRequest request) {
    Folders folders = new Folders(view, request);
    folders.walk();
    if (request.getCount()) {
      folders.response.setCount(view.count(folders.all, request.getRevision()));
    }
    return folders.response;
  }

  private void walk() {
    while (from != null && !response.getMore()) {
      KeyRange rest = new KeyRange(from, all.rangeEnd());
      from = null;
      if (!rest.isEmpty()) {
        view.forEach(rest, request.getRevision(), this::visit);
      }
    }
  }

  private boolean visit(KeyValue pair) {
    if (response.getChildrenCount() == limit) {
      response.setMore(true);
      return false;
    }
    ByteString key = pair.getKey();
    int separator = separatorIn(key);
    if (separator < 0) {
      response.addChildren(
          Child.newBuilder()
              .setKey(key)
              .setModRevision(pair.getModRevision())
              .setVersion(pair.getVersion())
              .setLease(pair.getLease())
              .setValueSize(pair.getValue().size()));
      return true;
    }
    ByteString folder = key.substring(0, separator + request.getSeparator().size());
    Child.Builder child = Child.newBuilder().setKey(folder).setFolder(true);
    if (request.getCount()) {
      child.setCount(view.count(KeyRange.prefix(folder), request.getRevision()));
    }
    response.addChildren(child);
    from = behind(folder, true);
    return false;
  }

  /** The smallest key that can belong to the next child. */
  private static @Nullable ByteString behind(ByteString child, boolean folder) {
    if (!folder) {
      return child.concat(ZERO);
    }
    KeyRange inside = KeyRange.prefix(child);
    return inside.isUnbounded() ? null : inside.rangeEnd();
  }

  /** Where the first separator behind the prefix begins, or -1. */
  private int separatorIn(ByteString key) {
    ByteString separator = request.getSeparator();
    for (int i = request.getPrefix().size(); i + separator.size() <= key.size(); i++) {
      if (key.substring(i, i + separator.size()).equals(separator)) {
        return i;
      }
    }
    return -1;
  }
}
