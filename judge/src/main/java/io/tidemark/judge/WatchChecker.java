package io.tidemark.judge;

import static io.tidemark.judge.Violation.Kind.AFTER_BOOKMARK;
import static io.tidemark.judge.Violation.Kind.AFTER_CANCEL;
import static io.tidemark.judge.Violation.Kind.BEFORE_CREATED;
import static io.tidemark.judge.Violation.Kind.BEFORE_START;
import static io.tidemark.judge.Violation.Kind.BOOKMARK_BACKWARDS;
import static io.tidemark.judge.Violation.Kind.DUPLICATE_EVENT;
import static io.tidemark.judge.Violation.Kind.EVENT_ORDER;
import static io.tidemark.judge.Violation.Kind.HEADER_BELOW_EVENT;
import static io.tidemark.judge.Violation.Kind.MISSING_EVENT;
import static io.tidemark.judge.Violation.Kind.SPLIT_REVISION;
import static io.tidemark.judge.Violation.Kind.UNEXPECTED_EVENT;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Judges what one watch delivered against the store's event log: each matching event once, in
 * order, whole revisions, none missing, bookmarks true. Unfragmented watches only.
 */
public final class WatchChecker {
  /** A watch id that stands for all watches of the stream. */
  private static final long BROADCAST = -1;

  private final EventLog log;
  private final WatchCreateRequest request;
  private final List<Violation> violations = new ArrayList<>();
  private final List<Event> delivered = new ArrayList<>();
  private final Set<String> identities = new HashSet<>();
  private long start;
  private long lastRevision;
  private long bookmark;
  private boolean created;
  private boolean canceled;

  private WatchChecker(EventLog log, WatchCreateRequest request) {
    this.log = log;
    this.request = request;
  }

  /**
   * Everything that is wrong; empty means the watch is fine.
   *
   * @param request how the watch was created
   * @param watchId the id it was given
   * @param responses everything that came on its stream, in order
   * @param until the watch must have delivered everything up to this revision
   */
  public static List<Violation> check(
      EventLog log,
      WatchCreateRequest request,
      long watchId,
      List<WatchResponse> responses,
      long until) {
    WatchChecker checker = new WatchChecker(log, request);
    for (WatchResponse response : responses) {
      if (response.getWatchId() == watchId
          || (response.getWatchId() == BROADCAST && !response.getCreated() && checker.created)) {
        checker.accept(response);
      }
    }
    checker.compareWithLog(until);
    return List.copyOf(checker.violations);
  }

  private void accept(WatchResponse response) {
    if (canceled) {
      fault(AFTER_CANCEL, response);
      return;
    }
    if (response.getCreated()) {
      created = true;
      long now = response.getHeader().getRevision() + 1;
      start = request.getStartRevision() == 0 ? now : request.getStartRevision();
      return;
    }
    if (!created) {
      fault(BEFORE_CREATED, response);
      return;
    }
    if (response.getCanceled()) {
      canceled = true;
    } else if (response.getEventsCount() == 0) {
      acceptBookmark(response);
    } else {
      acceptEvents(response);
    }
  }

  private void acceptBookmark(WatchResponse response) {
    long revision = response.getHeader().getRevision();
    if (revision < bookmark) {
      fault(BOOKMARK_BACKWARDS, response);
    }
    if (revision < request.getStartRevision()) {
      fault(BEFORE_START, response);
    }
    bookmark = Math.max(bookmark, revision);
  }

  private void acceptEvents(WatchResponse response) {
    if (response.getEvents(0).getKv().getModRevision() == lastRevision) {
      fault(SPLIT_REVISION, response);
    }
    for (Event event : response.getEventsList()) {
      acceptEvent(event);
    }
    if (response.getHeader().getRevision() < lastRevision) {
      fault(HEADER_BELOW_EVENT, response);
    }
  }

  private void acceptEvent(Event event) {
    long revision = event.getKv().getModRevision();
    String identity = revision + " " + event.getType() + " ";
    if (!identities.add(identity + event.getKv().getKey().toStringUtf8())) {
      violations.add(about(DUPLICATE_EVENT, event));
      return;
    }
    if (revision < start) {
      violations.add(about(BEFORE_START, event));
    }
    if (revision < lastRevision) {
      violations.add(new Violation(EVENT_ORDER, revision + " after " + lastRevision));
    }
    if (revision <= bookmark) {
      violations.add(new Violation(AFTER_BOOKMARK, revision + " after bookmark " + bookmark));
    }
    lastRevision = Math.max(lastRevision, revision);
    delivered.add(event);
  }

  private void compareWithLog(long until) {
    if (!created) {
      violations.add(new Violation(BEFORE_CREATED, "never created"));
      return;
    }
    List<Event> expected =
        log.events().stream()
            .filter(event -> event.getKv().getModRevision() >= start)
            .filter(event -> matches(event.getKv().getKey()))
            .filter(event -> !request.getFiltersList().contains(filterFor(event)))
            .map(this::asDelivered)
            .toList();
    Set<Event> known = new HashSet<>(expected);
    for (Event event : delivered) {
      if (!known.contains(event)) {
        violations.add(about(UNEXPECTED_EVENT, event));
      }
    }
    Set<Event> got = new HashSet<>(delivered);
    for (Event event : expected) {
      long revision = event.getKv().getModRevision();
      boolean due = revision <= Math.max(bookmark, Math.max(lastRevision, canceled ? 0 : until));
      if (due && !got.contains(event)) {
        violations.add(about(MISSING_EVENT, event));
      }
    }
    List<Event> inOrder = expected.stream().filter(got::contains).toList();
    if (violations.isEmpty() && !inOrder.equals(delivered)) {
      violations.add(new Violation(EVENT_ORDER, "order within a revision: " + delivered));
    }
  }

  private Event asDelivered(Event event) {
    return request.getPrevKv() ? event : event.toBuilder().clearPrevKv().build();
  }

  private boolean matches(ByteString key) {
    ByteString from = request.getKey();
    ByteString to = request.getRangeEnd();
    if (to.isEmpty()) {
      return key.equals(from);
    }
    var order = ByteString.unsignedLexicographicalComparator();
    boolean unbounded = to.size() == 1 && to.byteAt(0) == 0;
    return order.compare(key, from) >= 0 && (unbounded || order.compare(key, to) < 0);
  }

  private static WatchCreateRequest.FilterType filterFor(Event event) {
    return event.getType() == Event.EventType.DELETE
        ? WatchCreateRequest.FilterType.NODELETE
        : WatchCreateRequest.FilterType.NOPUT;
  }

  private static Violation about(Violation.Kind kind, Event event) {
    return new Violation(
        kind,
        event.toString(),
        event.getKv().getKey().toStringUtf8(),
        event.getKv().getModRevision());
  }

  private void fault(Violation.Kind kind, WatchResponse response) {
    violations.add(new Violation(kind, response.toString()));
  }
}
