package io.tidemark.it.tape;

import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import java.util.List;

/**
 * One watch stream from its start to its end.
 *
 * @param member whose stream
 * @param purpose who watched, and what for
 * @param requests the watches on it; each names its id
 * @param arrivals everything that came, in order
 * @param end the status that ended it; empty if its client did
 */
public record Tape(
    int member,
    Purpose purpose,
    List<WatchCreateRequest> requests,
    List<Arrival> arrivals,
    String end) {
  public Tape {
    requests = List.copyOf(requests);
    arrivals = List.copyOf(arrivals);
  }

  /** Why somebody watches. */
  public enum Purpose {
    /** The account of everything that happened, part of it. */
    ACCOUNT,
    /** A client among others. */
    CLIENT
  }

  /** One answer and when it came, by this JVM's monotonic clock. */
  public record Arrival(long nanos, WatchResponse response) {}

  /** The answers alone. */
  public List<WatchResponse> responses() {
    return arrivals.stream().map(Arrival::response).toList();
  }

  /** The newest revision among its events; 0 without any. */
  public long lastRevision() {
    for (int i = arrivals.size() - 1; i >= 0; i--) {
      WatchResponse response = arrivals.get(i).response();
      if (response.getEventsCount() > 0) {
        return response.getEvents(response.getEventsCount() - 1).getKv().getModRevision();
      }
    }
    return 0;
  }
}
