package io.tidemark.ctl;

import com.google.protobuf.Message;
import io.tidemark.api.etcdserverpb.AuthRoleGetResponse;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserGetResponse;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.server.SnapshotRestore.FileStatus;
import java.io.PrintStream;
import java.util.List;

/** Tables of members, endpoints and snapshots; nothing else has this format. */
final class TablePrinter implements Printer {
  private final PrintStream out;

  TablePrinter(PrintStream out) {
    this.out = out;
  }

  @Override
  public void put(PutResponse response) {
    throw unsupported();
  }

  @Override
  public void range(RangeResponse response) {
    throw unsupported();
  }

  @Override
  public void delete(DeleteRangeResponse response) {
    throw unsupported();
  }

  @Override
  public void txn(TxnResponse response) {
    throw unsupported();
  }

  @Override
  public void compaction(CompactionResponse response, long revision) {
    throw unsupported();
  }

  @Override
  public void watch(WatchResponse response) {
    throw unsupported();
  }

  @Override
  public void members(MemberListResponse response) {
    out.print(
        TextTable.render(
            Columns.MEMBER, response.getMembersList().stream().map(Columns::of).toList()));
  }

  @Override
  public void membersChanged(Message response, String words) {
    throw unsupported();
  }

  @Override
  public void status(List<EndpointStatus> endpoints) {
    out.print(TextTable.render(Columns.STATUS, endpoints.stream().map(Columns::of).toList()));
  }

  @Override
  public void health(List<EndpointHealth> endpoints) {
    out.print(TextTable.render(Columns.HEALTH, endpoints.stream().map(Columns::of).toList()));
  }

  @Override
  public void changed(Message response, ResponseHeader header, String words) {
    throw unsupported();
  }

  @Override
  public void role(AuthRoleGetResponse response, String name) {
    throw unsupported();
  }

  @Override
  public void user(AuthUserGetResponse response, String name) {
    throw unsupported();
  }

  @Override
  public void names(Message response, ResponseHeader header, String field, List<String> names) {
    throw unsupported();
  }

  @Override
  public void authStatus(AuthStatusResponse response) {
    throw unsupported();
  }

  @Override
  public void snapshot(FileStatus status) {
    out.print(TextTable.render(Columns.SNAPSHOT, List.of(Columns.of(status))));
  }

  private static CommandFailure unsupported() {
    return new CommandFailure(CommandFailure.BAD_FEATURE, "table not supported as output format");
  }
}
