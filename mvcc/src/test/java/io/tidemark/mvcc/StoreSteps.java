package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;

/** Entries of one command each, and what reads give, in few words. */
final class StoreSteps {
  private StoreSteps() {}

  static void put(MvccStore store, long index, String key, String value) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.put(utf8(key), utf8(value), 0);
      batch.finishCommand();
      batch.commit();
    }
  }

  static void compact(MvccStore store, long index, long revision) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.compact(revision);
      batch.finishCommand();
      batch.commit();
    }
  }

  static String valueAt(ReadView view, ByteString key, long revision) {
    KeyValue pair = view.get(key, revision);
    assertNotNull(pair);
    return pair.getValue().toStringUtf8();
  }

  static KeyValue pair(String key, String value, long create, long mod, long version, long lease) {
    return KeyValue.newBuilder()
        .setKey(utf8(key))
        .setValue(utf8(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .setLease(lease)
        .build();
  }
}
