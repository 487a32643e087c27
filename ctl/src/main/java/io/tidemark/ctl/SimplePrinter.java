package io.tidemark.ctl;

import com.google.protobuf.ByteString;
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
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.server.SnapshotRestore.FileStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The format for people: keys and values on lines of their own, bytes as they are. */
final class SimplePrinter implements Printer {
  private final PrintStream out;
  private final Content content;
  private final boolean hex;

  /** What a get prints. */
  enum Content {
    ALL,
    KEYS,
    VALUES,
    COUNT
  }

  SimplePrinter(PrintStream out, Content content, boolean hex) {
    this.out = out;
    this.content = content;
    this.hex = hex;
  }

  @Override
  public void put(PutResponse response) {
    line("OK");
    if (response.hasPrevKv()) {
      pair(response.getPrevKv());
    }
  }

  @Override
  public void range(RangeResponse response) {
    if (content == Content.COUNT) {
      line(Long.toString(response.getCount()));
    }
    for (KeyValue kv : response.getKvsList()) {
      if (content != Content.VALUES) {
        bytes(kv.getKey());
      }
      // A blank line takes the place of the value when only keys were asked for.
      bytes(content == Content.KEYS ? ByteString.EMPTY : kv.getValue());
    }
  }

  @Override
  public void delete(DeleteRangeResponse response) {
    line(Long.toString(response.getDeleted()));
    response.getPrevKvsList().forEach(this::pair);
  }

  @Override
  public void txn(TxnResponse response) {
    line(response.getSucceeded() ? "SUCCESS" : "FAILURE");
    for (ResponseOp op : response.getResponsesList()) {
      line("");
      switch (op.getResponseCase()) {
        case RESPONSE_PUT -> put(op.getResponsePut());
        case RESPONSE_RANGE -> range(op.getResponseRange());
        case RESPONSE_DELETE_RANGE -> delete(op.getResponseDeleteRange());
        case RESPONSE_TXN -> txn(op.getResponseTxn());
        case RESPONSE_NOT_SET -> line("\"unknown\"");
      }
    }
  }

  @Override
  public void compaction(CompactionResponse response, long revision) {
    line("compacted revision " + revision);
  }

  @Override
  public void watch(WatchResponse response) {
    if (response.getEventsCount() == 0 && !response.getCreated() && !response.getCanceled()) {
      line("progress notify: " + response.getHeader().getRevision());
    }
    for (Event event : response.getEventsList()) {
      line(event.getType().name());
      if (event.hasPrevKv()) {
        pair(event.getPrevKv());
      }
      pair(event.getKv());
    }
    out.flush();
  }

  @Override
  public void members(MemberListResponse response) {
    for (Member member : response.getMembersList()) {
      line(String.join(", ", Columns.of(member)));
    }
  }

  @Override
  public void membersChanged(Message response, String words) {
    line(words);
  }

  @Override
  public void status(List<EndpointStatus> endpoints) {
    endpoints.forEach(endpoint -> line(String.join(", ", Columns.of(endpoint))));
  }

  @Override
  public void health(List<EndpointHealth> endpoints) {
    for (EndpointHealth health : endpoints) {
      if (health.healthy()) {
        line(
            health.endpoint()
                + " is healthy: successfully committed proposal: took = "
                + GoText.duration(health.took()));
      } else {
        line(health.endpoint() + " is unhealthy: failed to commit proposal: " + health.error());
      }
    }
  }

  @Override
  public void changed(Message response, ResponseHeader header, String words) {
    line(words);
  }

  @Override
  public void role(AuthRoleGetResponse response, String name) {
    line("Role " + name);
    line("KV Read:");
    permissions(response, Permission.Type.READ);
    line("KV Write:");
    permissions(response, Permission.Type.WRITE);
  }

  private void permissions(AuthRoleGetResponse response, Permission.Type type) {
    for (Permission permission : response.getPermList()) {
      if (permission.getPermType() == type
          || permission.getPermType() == Permission.Type.READWRITE) {
        line("\t" + KeySpan.permission(permission.getKey(), permission.getRangeEnd()));
      }
    }
  }

  @Override
  public void user(AuthUserGetResponse response, String name) {
    line("User: " + name);
    line("Roles: " + String.join(" ", response.getRolesList()));
  }

  @Override
  public void names(Message response, ResponseHeader header, String field, List<String> names) {
    names.forEach(this::line);
  }

  @Override
  public void authStatus(AuthStatusResponse response) {
    line("Authentication Status: " + response.getEnabled());
    line("AuthRevision: " + Long.toUnsignedString(response.getAuthRevision()));
  }

  @Override
  public void snapshot(FileStatus status) {
    line(String.join(", ", Columns.of(status)));
  }

  private void pair(KeyValue kv) {
    bytes(kv.getKey());
    bytes(kv.getValue());
  }

  private void bytes(ByteString bytes) {
    if (hex) {
      line(GoText.hex(bytes));
      return;
    }
    try {
      bytes.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.print('\n');
  }

  private void line(String text) {
    out.print(text);
    out.print('\n');
  }
}
