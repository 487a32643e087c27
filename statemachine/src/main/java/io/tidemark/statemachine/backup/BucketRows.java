package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import java.io.IOException;

/** One of etcd's buckets, and what it stands for in a store. */
interface BucketRows {
  /** Takes the entries of a bucket, ascending by key. */
  @FunctionalInterface
  interface Out {
    void put(ByteString key, ByteString value) throws IOException;
  }

  /** The bucket's name. */
  String name();

  /** Gives the bucket's entries, ascending by key and the same each time. */
  void write(ReadView view, Out out) throws IOException;

  /** Takes over an entry of a file; what a new cluster decides for itself is left out. */
  void read(ByteString key, ByteString value, StoreLoad into) throws DamagedFileException;
}
