package io.tidemark.it.differential;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeRequest.SortOrder;
import io.tidemark.api.etcdserverpb.RangeRequest.SortTarget;

/** Random ranges, puts, deletes and compactions. */
final class KvRequests {
  /** More than one request may have; see {@link DifferentialRun}. */
  private static final ByteString TOO_LARGE =
      ByteString.copyFrom(new byte[DifferentialRun.REQUEST_BYTES_MAX + 1]);

  private final World world;

  KvRequests(World world) {
    this.world = world;
  }

  RangeRequest range() {
    RangeRequest.Builder range = RangeRequest.newBuilder().setKey(world.key());
    if (world.percent(75)) {
      range.setRangeEnd(world.rangeEnd());
    }
    if (world.percent(40)) {
      range.setRevision(world.revision());
    }
    if (world.percent(50)) {
      range.setLimit(world.below(11) - 2L);
    }
    if (world.percent(50)) {
      range.setSortTargetValue(world.below(SortTarget.VALUE_VALUE + 1));
      range.setSortOrderValue(world.below(SortOrder.DESCEND_VALUE + 1));
    }
    if (world.percent(30)) {
      bounds(range);
    }
    return range
        .setSerializable(world.percent(30))
        .setKeysOnly(world.percent(20))
        .setCountOnly(world.percent(10))
        .build();
  }

  private void bounds(RangeRequest.Builder range) {
    if (world.percent(40)) {
      range.setMinModRevision(world.revision());
    }
    if (world.percent(40)) {
      range.setMaxModRevision(world.revision());
    }
    if (world.percent(40)) {
      range.setMinCreateRevision(world.revision());
    }
    if (world.percent(40)) {
      range.setMaxCreateRevision(world.revision());
    }
  }

  /** etcd 3.4 takes an order that nobody knows for none; a target that nobody knows stops it. */
  RangeRequest strangelyOrdered() {
    return range().toBuilder().setSortOrderValue(7).build();
  }

  PutRequest put() {
    PutRequest.Builder put =
        PutRequest.newBuilder().setKey(world.key()).setPrevKv(world.percent(30));
    boolean keepsValue = world.percent(10);
    if (!keepsValue || world.percent(20)) {
      put.setValue(world.value());
    }
    boolean keepsLease = world.percent(10);
    if (keepsLease ? world.percent(20) : world.percent(30)) {
      put.setLease(world.anyLease());
    }
    return put.setIgnoreValue(keepsValue).setIgnoreLease(keepsLease).build();
  }

  PutRequest tooLarge() {
    return put().toBuilder().setIgnoreValue(false).setValue(TOO_LARGE).build();
  }

  DeleteRangeRequest deleteRange() {
    DeleteRangeRequest.Builder delete =
        DeleteRangeRequest.newBuilder().setKey(world.key()).setPrevKv(world.percent(40));
    if (world.percent(35)) {
      delete.setRangeEnd(world.rangeEnd());
    }
    return delete.build();
  }

  CompactionRequest compact() {
    return CompactionRequest.newBuilder()
        .setRevision(world.percent(30) ? world.revision() : world.readable())
        .setPhysical(world.percent(30))
        .build();
  }
}
