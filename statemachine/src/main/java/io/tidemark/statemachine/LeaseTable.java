package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.Table;
import java.nio.ByteBuffer;

/** The leases of the store, as the entry being applied sees them: one row each, keyed by id. */
final class LeaseTable implements Leases {
  private final EntryBatch batch;

  LeaseTable(EntryBatch batch) {
    this.batch = batch;
  }

  @Override
  public boolean exists(long id) {
    return batch.tableGet(Table.LEASE, key(id)) != null;
  }

  private static ByteString key(long id) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).putLong(id);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
