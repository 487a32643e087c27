package io.tidemark.watch;

import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest.FilterType;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import io.tidemark.judge.WatchChecker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything one stream delivered, as its client would have got it over the wire, for the judge
 * that also judges real clusters. Pieces of a split list are recorded as one list.
 */
final class Transcript {
  private record Watch(WatchCreateRequest request, long id, List<WatchResponse> responses) {}

  private final Map<Long, Watch> open = new HashMap<>();
  private final List<Watch> ended = new ArrayList<>();

  void created(WatchSpec spec, WatchMessage.Created message) {
    Watch watch = new Watch(request(spec), message.watchId(), new ArrayList<>());
    open.put(message.watchId(), watch);
    watch.responses.add(response(message).setWatchId(message.watchId()).setCreated(true).build());
  }

  void events(WatchMessage.Events message, List<Event> events) {
    add(message.watchId(), response(message).addAllEvents(events));
  }

  void progress(WatchMessage.Progress message) {
    if (message.watchId() == WatchMessage.WHOLE_STREAM) {
      open.keySet().forEach(id -> add(id, response(message)));
    } else {
      add(message.watchId(), response(message));
    }
  }

  void compacted(WatchMessage.Compacted message) {
    add(
        message.watchId(),
        response(message).setCanceled(true).setCompactRevision(message.compactRevision()));
    end(message.watchId());
  }

  void canceled(WatchMessage.Canceled message) {
    if (open.containsKey(message.watchId())) {
      add(message.watchId(), response(message).setCanceled(true));
      end(message.watchId());
    }
  }

  /**
   * What the judge objects to.
   *
   * @param until revision up to which the watches that are still open must have everything
   */
  List<Violation> violations(EventLog log, long until) {
    List<Violation> all = new ArrayList<>();
    for (Watch watch : ended) {
      all.addAll(WatchChecker.check(log, watch.request, watch.id, watch.responses, 0));
    }
    for (Watch watch : open.values()) {
      all.addAll(WatchChecker.check(log, watch.request, watch.id, watch.responses, until));
    }
    return all;
  }

  private void add(long id, WatchResponse.Builder response) {
    Watch watch = open.get(id);
    if (watch != null) {
      watch.responses.add(response.setWatchId(id).build());
    }
  }

  private void end(long id) {
    Watch watch = open.remove(id);
    if (watch != null) {
      ended.add(watch);
    }
  }

  private static WatchResponse.Builder response(WatchMessage message) {
    return WatchResponse.newBuilder()
        .setHeader(ResponseHeader.newBuilder().setRevision(message.revision()));
  }

  private static WatchCreateRequest request(WatchSpec spec) {
    WatchCreateRequest.Builder request =
        WatchCreateRequest.newBuilder()
            .setKey(spec.range().key())
            .setRangeEnd(spec.range().rangeEnd())
            .setStartRevision(spec.startRevision())
            .setPrevKv(spec.prevKv());
    if (spec.noPut()) {
      request.addFilters(FilterType.NOPUT);
    }
    if (spec.noDelete()) {
      request.addFilters(FilterType.NODELETE);
    }
    return request.build();
  }
}
