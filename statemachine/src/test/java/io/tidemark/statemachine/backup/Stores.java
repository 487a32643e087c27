package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.HistoryCursor;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.statemachine.Genesis;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Stores for tests, and what is done with them. */
final class Stores {
  static final Genesis GENESIS =
      new Genesis(
          0x1234,
          List.of(
              Member.newBuilder().setID(7).addPeerURLs("http://10.0.0.1:2380").build(),
              Member.newBuilder().setID(-8).addPeerURLs("http://10.0.0.2:2380").build()));

  private Stores() {}

  static MvccStore open(Path directory) {
    return MvccStore.open(directory, MvccLimits.defaults());
  }

  /** Does one command in an entry of its own. */
  static void command(MvccStore store, Consumer<EntryBatch> command) {
    try (EntryBatch batch = store.begin(3, store.applied().index() + 1)) {
      command.accept(batch);
      batch.finishCommand();
      batch.commit();
    }
  }

  static void put(MvccStore store, String key, String value) {
    command(store, batch -> batch.put(utf8(key), utf8(value), 0));
  }

  static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  /** Writes a backup with hardly any memory for sorting. */
  static BackupFile backup(MvccStore store, Path file) throws IOException {
    try (ReadView view = store.view();
        OutputStream out = Files.newOutputStream(file)) {
      BackupFile backup = BackupFile.measure(view, 4_096, (bytes, length) -> {});
      byte[] digest = backup.writeTo((bytes, length) -> out.write(bytes, 0, length));
      out.write(digest);
      return backup;
    }
  }

  static StoreImport.Loaded restore(Path file, Path store, StoreImport.Changes changes)
      throws IOException {
    try (SnapshotFile snapshot = SnapshotFile.open(file, SnapshotFile.Digest.REQUIRED)) {
      return StoreImport.load(snapshot, store, MvccLimits.defaults(), GENESIS, changes);
    }
  }

  /** All that happened from a revision on. */
  static List<RevisionBatch> history(MvccStore store, long from) {
    List<RevisionBatch> found = new ArrayList<>();
    try (ReadView view = store.view();
        HistoryCursor cursor = view.history(from, true)) {
      while (cursor.next()) {
        found.add(cursor.batch());
      }
    }
    return found;
  }

  static int hash(MvccStore store) {
    try (ReadView view = store.view()) {
      return view.digest(0).hash();
    }
  }
}
