package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.StatusResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member in {@code top}: its state, and its rates since the look before. What isn't known is
 * null.
 *
 * @param role leader, follower, learner or down
 * @param lag entries that the leader has committed and this member hasn't applied
 * @param lagMillis how old that news is
 * @param writes commands that it took, per second
 * @param reads reads of its store, per second
 * @param events handed to its watchers, per second
 * @param fsyncMillis mean of its log's flushes in between
 * @param commitMillis mean of its entries' ways from here through a majority and back in between
 * @param pending commands that it took and that aren't over
 * @param synced watchers that are fed live
 * @param unsynced watchers that are behind
 * @param victims watchers whose clients don't read
 * @param errors alarms and what else it complains of
 */
record TopRow(
    String endpoint,
    String id,
    String role,
    @Nullable Long term,
    @Nullable Long revision,
    @Nullable Long lag,
    @Nullable Long lagMillis,
    @Nullable Long dbSize,
    @Nullable Double writes,
    @Nullable Double reads,
    @Nullable Double events,
    @Nullable Double fsyncMillis,
    @Nullable Double commitMillis,
    @Nullable Long pending,
    @Nullable Long streams,
    @Nullable Long synced,
    @Nullable Long unsynced,
    @Nullable Long victims,
    List<String> errors) {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  TopRow {
    errors = List.copyOf(errors);
  }

  /**
   * A row.
   *
   * @param before the look before, null for none
   */
  static TopRow of(@Nullable TopSample before, TopSample now) {
    StatusResponse status = now.status();
    Change change = new Change(before, now);
    return new TopRow(
        now.endpoint(),
        status == null ? "" : Long.toHexString(status.getHeader().getMemberId()),
        role(status),
        status == null ? null : Long.valueOf(status.getRaftTerm()),
        status == null ? null : Long.valueOf(status.getHeader().getRevision()),
        lag(now),
        whole(now, "tidemark_leader_commit_age_milliseconds"),
        status == null ? null : Long.valueOf(status.getDbSize()),
        change.perSecond("tidemark_write_entry_commands_sum"),
        change.perSecond("etcd_server_range_duration_seconds_count"),
        change.perSecond("etcd_debugging_mvcc_events_total"),
        change.meanMillis("etcd_disk_wal_fsync_duration_seconds"),
        change.meanMillis("tidemark_write_commit_seconds"),
        whole(now, "etcd_server_proposals_pending"),
        whole(now, "etcd_debugging_mvcc_watch_stream_total"),
        whole(now, "tidemark_watch_synced_watchers"),
        whole(now, "tidemark_watch_unsynced_watchers"),
        whole(now, "tidemark_watch_victims"),
        status == null ? List.of(now.failure()) : status.getErrorsList());
  }

  private static String role(@Nullable StatusResponse status) {
    if (status == null) {
      return "down";
    }
    if (status.getIsLearner()) {
      return "learner";
    }
    return status.getLeader() == status.getHeader().getMemberId() ? "leader" : "follower";
  }

  private static @Nullable Long lag(TopSample now) {
    Double heard = now.value("tidemark_leader_commit_index");
    Double applied = now.value("etcd_server_proposals_applied_total");
    return heard == null || applied == null ? null : Math.max(0, (long) (heard - applied));
  }

  private static @Nullable Long whole(TopSample sample, String name) {
    Double value = sample.value(name);
    return value == null ? null : value.longValue();
  }

  /** From one look to the next. A member that has started anew in between counts from 0. */
  private record Change(@Nullable TopSample before, TopSample now) {
    @Nullable Double grown(String name) {
      Double then = before == null ? null : before.value(name);
      Double value = now.value(name);
      if (then == null || value == null) {
        return null;
      }
      return value < then ? value : value - then;
    }

    @Nullable Double perSecond(String name) {
      Double grown = grown(name);
      return grown == null || before == null
          ? null
          : grown * NANOS / Math.max(1, now.atNanos() - before.atNanos());
    }

    /** Null too when nothing was measured. */
    @Nullable Double meanMillis(String histogram) {
      Double sum = grown(histogram + "_sum");
      Double count = grown(histogram + "_count");
      return sum == null || count == null || count == 0 ? null : sum * MILLIS / count;
    }
  }
}
