package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseReads;
import io.tidemark.statemachine.lease.LeaseRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bucket {@code lease}: lease id (8) to etcd's message, id as field 1 and granted TTL in seconds as
 * field 2. The time that is left isn't told: a restored lease begins anew, as in etcd.
 */
final class LeaseBucket implements BucketRows {
  private static final int ID = 1;
  private static final int TTL = 2;

  private record Granted(long id, long ttlSeconds) {}

  @Override
  public String name() {
    return "lease";
  }

  @Override
  public void write(ReadView view, Out out) throws IOException {
    List<Granted> leases = new ArrayList<>();
    LeaseReads.forEach(view, (id, lease) -> leases.add(new Granted(id, lease.ttlSeconds())));
    for (Granted lease : leases) {
      out.put(LeaseRows.idBytes(lease.id()), message(lease));
    }
  }

  private static ByteString message(Granted lease) throws IOException {
    int size =
        CodedOutputStream.computeInt64Size(ID, lease.id())
            + CodedOutputStream.computeInt64Size(TTL, lease.ttlSeconds());
    byte[] bytes = new byte[size];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeInt64(ID, lease.id());
    out.writeInt64(TTL, lease.ttlSeconds());
    out.checkNoSpaceLeft();
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  @Override
  public void read(ByteString key, ByteString value, StoreLoad into) throws DamagedFileException {
    Granted granted = parse(value);
    if (!key.equals(LeaseRows.idBytes(granted.id())) || granted.ttlSeconds() <= 0) {
      throw new DamagedFileException("a lease can't be read");
    }
    Lease lease = new Lease(granted.ttlSeconds(), Lease.NOT_LOGGED);
    into.table(Table.LEASE, key, LeaseRows.row(lease));
  }

  private static Granted parse(ByteString value) throws DamagedFileException {
    long id = 0;
    long ttl = 0;
    try {
      CodedInputStream in = value.newCodedInput();
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case ID -> id = in.readInt64();
          case TTL -> ttl = in.readInt64();
          default -> in.skipField(tag);
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new DamagedFileException("a lease can't be read");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
    return new Granted(id, ttl);
  }

  /** Keeps the rows of the keys that leases hold. */
  static void moved(StoreLoad into, ByteString key, long from, long to) {
    if (from != 0) {
      into.tableDelete(Table.LEASE_KEY, LeaseRows.attachment(from, key));
    }
    if (to != 0) {
      into.table(Table.LEASE_KEY, LeaseRows.attachment(to, key), ByteString.EMPTY);
    }
  }
}
