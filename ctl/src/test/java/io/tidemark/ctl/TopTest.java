package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.StatusResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopTest {
  private static final StatusResponse STATUS =
      StatusResponse.newBuilder()
          .setHeader(ResponseHeader.newBuilder().setMemberId(0xab).setRevision(7))
          .setLeader(0xab)
          .setRaftTerm(3)
          .setDbSize(25_000)
          .addErrors("memberID:171 alarm:NOSPACE ")
          .build();

  private static TopSample at(long seconds, String page) {
    return new TopSample("a:1", STATUS, "", TopSample.samples(page), seconds * 1_000_000_000);
  }

  @Test
  void samplesWithLabelsAreAddedUp() {
    assertEquals(
        Map.of("a", 3.5, "b_total", 7.0, "odd", 0.0),
        TopSample.samples(
            "# TYPE a gauge\na 3.5\nb_total{x=\"1 2\"} 3\nb_total{x=\"2\"} 4\nodd ?\n"));
  }

  @Test
  void ratesAreDifferences() {
    TopSample before =
        at(
            10,
            "tidemark_write_entry_commands_sum 100\ntidemark_write_commit_seconds_sum 1\n"
                + "tidemark_write_commit_seconds_count 10\n");
    TopSample now =
        at(
            12,
            "tidemark_write_entry_commands_sum 300\ntidemark_write_commit_seconds_sum 1.5\n"
                + "tidemark_write_commit_seconds_count 110\ntidemark_leader_commit_index 50\n"
                + "etcd_server_proposals_applied_total 48\ntidemark_watch_victims 2\n"
                + "tidemark_leader_commit_age_milliseconds 20\n");
    TopRow row = TopRow.of(before, now);
    assertEquals("leader", row.role());
    assertEquals("ab", row.id());
    assertEquals(100.0, row.writes());
    assertEquals(5.0, row.commitMillis());
    assertEquals(2, row.lag());
    assertEquals(2, row.victims());
    assertNull(row.reads());
    assertEquals(
        List.of(
            "a:1",
            "leader",
            "3",
            "7",
            "2",
            "20ms",
            "25 kB",
            "100",
            "-",
            "-",
            "-",
            "5.0ms",
            "-",
            "-",
            "-",
            "2",
            "memberID:171 alarm:NOSPACE "),
        TopView.cells(row));
  }

  /** Counters of a member that has started anew begin with 0. */
  @Test
  void aRestartIsNoNegativeRate() {
    TopRow row =
        TopRow.of(
            at(1, "tidemark_write_entry_commands_sum 100\n"),
            at(2, "tidemark_write_entry_commands_sum 30\n"));
    assertEquals(30.0, row.writes());
  }

  @Test
  void whatIsNotKnownIsSaid() {
    TopSample down = new TopSample("a:1", null, "gone", Map.of(), 0);
    TopRow row = TopRow.of(null, down);
    assertEquals(
        "{\"members\":[{\"endpoint\":\"a:1\",\"id\":\"\",\"role\":\"down\",\"term\":null,"
            + "\"revision\":null,\"lag_entries\":null,\"lag_age_millis\":null,\"db_size\":null,"
            + "\"writes_per_second\":null,\"reads_per_second\":null,\"events_per_second\":null,"
            + "\"fsync_millis\":null,\"commit_millis\":null,\"pending\":null,"
            + "\"watchers\":{\"streams\":null,\"synced\":null,\"unsynced\":null,"
            + "\"victims\":null},\"errors\":[\"gone\"]}]}",
        TopView.json(List.of(row)));
    String[] lines = TopView.plain(List.of(row)).split("\n", -1);
    assertEquals(3, lines.length);
    assertEquals("a:1       down  -     -", lines[1].substring(0, 23));
  }
}
