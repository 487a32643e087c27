package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;

/** A bucket that etcd has and whose content belongs to a running cluster, not to its data. */
record EmptyBucket(String name) implements BucketRows {
  @Override
  public void write(ReadView view, Out out) {
    // nothing of it outlives the cluster
  }

  @Override
  public void read(ByteString key, ByteString value, StoreLoad into) {
    // nothing of it outlives the cluster
  }
}
