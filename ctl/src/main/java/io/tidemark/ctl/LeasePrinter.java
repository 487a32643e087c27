package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.LeaseLeasesResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.io.PrintStream;
import java.util.Base64;
import java.util.stream.Collectors;

/** What is printed of leases, in one of the formats. Main thread only. */
interface LeasePrinter {
  void granted(LeaseGrantResponse response);

  void revoked(long id, LeaseRevokeResponse response);

  void left(LeaseTimeToLiveResponse response, boolean withKeys);

  void leases(LeaseLeasesResponse response);

  void keptAlive(LeaseKeepAliveResponse response);

  /** A lease as people see it. */
  static String hex(long id) {
    return String.format(java.util.Locale.ROOT, "%016x", id);
  }

  /** Sentences for people. */
  record Simple(PrintStream out) implements LeasePrinter {
    @Override
    public void granted(LeaseGrantResponse response) {
      line("lease " + hex(response.getID()) + " granted with TTL(" + response.getTTL() + "s)");
    }

    @Override
    public void revoked(long id, LeaseRevokeResponse response) {
      line("lease " + hex(id) + " revoked");
    }

    @Override
    public void left(LeaseTimeToLiveResponse response, boolean withKeys) {
      if (response.getTTL() < 0 && response.getGrantedTTL() == 0) {
        line("lease " + hex(response.getID()) + " already expired");
        return;
      }
      String keys =
          response.getKeysList().stream()
              .map(ByteString::toStringUtf8)
              .collect(Collectors.joining(" ", ", attached keys([", "])"));
      line(
          "lease "
              + hex(response.getID())
              + " granted with TTL("
              + response.getGrantedTTL()
              + "s), remaining("
              + response.getTTL()
              + "s)"
              + (withKeys ? keys : ""));
    }

    @Override
    public void leases(LeaseLeasesResponse response) {
      line("found " + response.getLeasesCount() + " leases");
      response.getLeasesList().forEach(lease -> line(hex(lease.getID())));
    }

    @Override
    public void keptAlive(LeaseKeepAliveResponse response) {
      line("lease " + hex(response.getID()) + " keepalived with TTL(" + response.getTTL() + ")");
    }

    private void line(String text) {
      out.print(text + "\n");
      out.flush();
    }
  }

  /** JSON as etcdctl's users parse it: the header's fields stand beside the others. */
  record Json(PrintStream out) implements LeasePrinter {
    @Override
    public void granted(LeaseGrantResponse response) {
      line(
          response.getHeader(),
          "\"ID\":" + response.getID() + ",\"TTL\":" + response.getTTL() + ",\"Error\":\"\"");
    }

    @Override
    public void revoked(long id, LeaseRevokeResponse response) {
      out.print(GoJson.message(response) + "\n");
    }

    @Override
    public void left(LeaseTimeToLiveResponse response, boolean withKeys) {
      String keys =
          response.getKeysCount() == 0
              ? "null"
              : response.getKeysList().stream()
                  .map(key -> Base64.getEncoder().encodeToString(key.toByteArray()))
                  .map(GoJson::string)
                  .collect(Collectors.joining(",", "[", "]"));
      line(
          response.getHeader(),
          "\"id\":"
              + response.getID()
              + ",\"ttl\":"
              + response.getTTL()
              + ",\"granted-ttl\":"
              + response.getGrantedTTL()
              + ",\"keys\":"
              + keys);
    }

    @Override
    public void leases(LeaseLeasesResponse response) {
      line(
          response.getHeader(),
          response.getLeasesList().stream()
              .map(lease -> "{\"id\":" + lease.getID() + "}")
              .collect(Collectors.joining(",", "\"leases\":[", "]")));
    }

    @Override
    public void keptAlive(LeaseKeepAliveResponse response) {
      line(response.getHeader(), "\"ID\":" + response.getID() + ",\"TTL\":" + response.getTTL());
    }

    private void line(ResponseHeader header, String fields) {
      String json = GoJson.message(header);
      out.print(json.substring(0, json.length() - 1) + "," + fields + "}\n");
      out.flush();
    }
  }

  /** Every field on a line of its own. */
  record Fields(PrintStream out) implements LeasePrinter {
    @Override
    public void granted(LeaseGrantResponse response) {
      header(response.getHeader());
      field("ID", response.getID());
      field("TTL", response.getTTL());
    }

    @Override
    public void revoked(long id, LeaseRevokeResponse response) {
      header(response.getHeader());
    }

    @Override
    public void left(LeaseTimeToLiveResponse response, boolean withKeys) {
      header(response.getHeader());
      field("ID", response.getID());
      field("TTL", response.getTTL());
      field("GrantedTTL", response.getGrantedTTL());
      response.getKeysList().forEach(key -> field("Key", GoText.quote(key)));
    }

    @Override
    public void leases(LeaseLeasesResponse response) {
      header(response.getHeader());
      for (LeaseStatus lease : response.getLeasesList()) {
        field("ID", lease.getID());
      }
    }

    @Override
    public void keptAlive(LeaseKeepAliveResponse response) {
      header(response.getHeader());
      field("ID", response.getID());
      field("TTL", response.getTTL());
    }

    private void header(ResponseHeader header) {
      field("ClusterID", Long.toUnsignedString(header.getClusterId()));
      field("MemberID", Long.toUnsignedString(header.getMemberId()));
      field("Revision", header.getRevision());
      field("RaftTerm", Long.toUnsignedString(header.getRaftTerm()));
    }

    private void field(String name, Object value) {
      out.print("\"" + name + "\" : " + value + "\n");
      out.flush();
    }
  }
}
