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
import java.util.List;

/** One output format. Implementations write to the stream they were given; main thread only. */
interface Printer {
  void put(PutResponse response);

  void range(RangeResponse response);

  void delete(DeleteRangeResponse response);

  void txn(TxnResponse response);

  /** {@code revision} is what was asked for. */
  void compaction(CompactionResponse response, long revision);

  void watch(WatchResponse response);

  void members(MemberListResponse response);

  /** The answer to a change of the members, and what it comes to in words. */
  void membersChanged(Message response, String words);

  void status(List<EndpointStatus> endpoints);

  void health(List<EndpointHealth> endpoints);

  /**
   * A change of users or roles, which has nothing to tell but that it was made.
   *
   * @param words what people read
   */
  void changed(Message response, ResponseHeader header, String words);

  /** What a role allows. */
  void role(AuthRoleGetResponse response, String name);

  /** The roles of a user. */
  void user(AuthUserGetResponse response, String name);

  /** All users, or all roles. */
  void names(Message response, ResponseHeader header, String field, List<String> names);

  /** Whether authentication is on. */
  void authStatus(AuthStatusResponse response);

  void snapshot(FileStatus status);
}
