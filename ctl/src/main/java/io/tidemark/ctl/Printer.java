package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
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

  void status(List<EndpointStatus> endpoints);

  void health(List<EndpointHealth> endpoints);
}
