package io.tidemark.ctl;

import com.google.protobuf.Message;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthRoleGetResponse;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserGetResponse;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.server.SnapshotRestore.FileStatus;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** Every field on a line of its own: {@code "Name" : value}. */
final class FieldsPrinter implements Printer {
  private final PrintStream out;

  FieldsPrinter(PrintStream out) {
    this.out = out;
  }

  @Override
  public void put(PutResponse response) {
    header(response.getHeader());
    if (response.hasPrevKv()) {
      pair("Prev", response.getPrevKv());
    }
  }

  @Override
  public void range(RangeResponse response) {
    header(response.getHeader());
    response.getKvsList().forEach(kv -> pair("", kv));
    field("More", response.getMore());
    field("Count", response.getCount());
  }

  @Override
  public void delete(DeleteRangeResponse response) {
    header(response.getHeader());
    field("Deleted", response.getDeleted());
    response.getPrevKvsList().forEach(kv -> pair("Prev", kv));
  }

  @Override
  public void txn(TxnResponse response) {
    header(response.getHeader());
    field("Succeeded", response.getSucceeded());
    for (ResponseOp op : response.getResponsesList()) {
      switch (op.getResponseCase()) {
        case RESPONSE_PUT -> put(op.getResponsePut());
        case RESPONSE_RANGE -> range(op.getResponseRange());
        case RESPONSE_DELETE_RANGE -> delete(op.getResponseDeleteRange());
        case RESPONSE_TXN -> txn(op.getResponseTxn());
        case RESPONSE_NOT_SET -> field("Unknown", "\"\"");
      }
    }
  }

  @Override
  public void compaction(CompactionResponse response, long revision) {
    header(response.getHeader());
  }

  @Override
  public void watch(WatchResponse response) {
    header(response.getHeader());
    for (Event event : response.getEventsList()) {
      field("Type", event.getType().name());
      if (event.hasPrevKv()) {
        pair("Prev", event.getPrevKv());
      }
      pair("", event.getKv());
    }
    out.flush();
  }

  @Override
  public void members(MemberListResponse response) {
    header(response.getHeader());
    for (Member member : response.getMembersList()) {
      field("ID", Long.toUnsignedString(member.getID()));
      field("Name", GoText.quote(member.getName()));
      member.getPeerURLsList().forEach(url -> field("PeerURL", GoText.quote(url)));
      member.getClientURLsList().forEach(url -> field("ClientURL", GoText.quote(url)));
      field("IsLearner", member.getIsLearner());
      out.print('\n');
    }
  }

  @Override
  public void membersChanged(Message response, String words) {
    throw new CommandFailure(CommandFailure.BAD_FEATURE, "fields not supported as output format");
  }

  @Override
  public void status(List<EndpointStatus> endpoints) {
    for (EndpointStatus endpoint : endpoints) {
      StatusResponse status = endpoint.status();
      header(status.getHeader());
      field("Version", GoText.quote(status.getVersion()));
      field("StorageVersion", GoText.quote(status.getStorageVersion()));
      field("DBSize", status.getDbSize());
      field("DBSizeInUse", status.getDbSizeInUse());
      field("DBSizeQuota", status.getDbSizeQuota());
      field("Leader", Long.toUnsignedString(status.getLeader()));
      field("IsLearner", status.getIsLearner());
      field("RaftIndex", Long.toUnsignedString(status.getRaftIndex()));
      field("RaftTerm", Long.toUnsignedString(status.getRaftTerm()));
      field("RaftAppliedIndex", Long.toUnsignedString(status.getRaftAppliedIndex()));
      field(
          "Errors",
          status.getErrorsList().stream()
              .map(GoText::quote)
              .collect(Collectors.joining(" ", "[", "]")));
      EndpointStatus.Lag lag = endpoint.lag();
      if (lag != null) {
        field("AppliedRevision", lag.appliedRevision());
        field("DispatchedRevision", lag.dispatchedRevision());
        field("LeaderCommit", lag.leaderCommit());
        field("Lag", lag.entries());
        field("LagAgeMillis", lag.ageMillis());
      }
      field("Endpoint", GoText.quote(endpoint.endpoint()));
      field("DowngradeTargetVersion", GoText.quote(status.getDowngradeInfo().getTargetVersion()));
      field("DowngradeEnabled", status.getDowngradeInfo().getEnabled());
      out.print('\n');
    }
  }

  @Override
  public void health(List<EndpointHealth> endpoints) {
    for (EndpointHealth health : endpoints) {
      field("Endpoint", GoText.quote(health.endpoint()));
      field("Health", health.healthy());
      field("Took", GoText.duration(health.took()));
      field("Error", health.error());
      out.print('\n');
    }
  }

  @Override
  public void changed(Message response, ResponseHeader header, String words) {
    header(header);
  }

  @Override
  public void role(AuthRoleGetResponse response, String name) {
    header(response.getHeader());
    for (Permission permission : response.getPermList()) {
      field("PermType", " " + permission.getPermType());
      field("Key", GoText.quote(permission.getKey()));
      field("RangeEnd", GoText.quote(permission.getRangeEnd()));
    }
  }

  @Override
  public void user(AuthUserGetResponse response, String name) {
    names(response, response.getHeader(), "Roles", response.getRolesList());
  }

  @Override
  public void names(Message response, ResponseHeader header, String field, List<String> names) {
    header(header);
    names.forEach(name -> field(field, GoText.quote(name)));
  }

  @Override
  public void authStatus(AuthStatusResponse response) {
    header(response.getHeader());
    field("Enabled", response.getEnabled());
    field("AuthRevision", Long.toUnsignedString(response.getAuthRevision()));
  }

  @Override
  public void snapshot(FileStatus status) {
    field("Hash", status.hash());
    field("Revision", status.revision());
    field("Keys", status.totalKeys());
    field("Size", status.totalSize());
  }

  private void header(ResponseHeader header) {
    field("ClusterID", Long.toUnsignedString(header.getClusterId()));
    field("MemberID", Long.toUnsignedString(header.getMemberId()));
    field("Revision", header.getRevision());
    field("RaftTerm", Long.toUnsignedString(header.getRaftTerm()));
  }

  private void pair(String prefix, KeyValue kv) {
    field(prefix + "Key", GoText.quote(kv.getKey()));
    field(prefix + "CreateRevision", kv.getCreateRevision());
    field(prefix + "ModRevision", kv.getModRevision());
    field(prefix + "Version", kv.getVersion());
    field(prefix + "Value", GoText.quote(kv.getValue()));
    field(prefix + "Lease", kv.getLease());
  }

  private void field(String name, Object value) {
    out.print("\"" + name + "\" : " + value + "\n");
  }
}
