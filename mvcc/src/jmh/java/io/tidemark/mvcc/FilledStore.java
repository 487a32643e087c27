package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A store with many keys and a history of 20,000 revisions behind them: eight of ten overwrite a
 * key, one makes a new one, one removes one. It stays where it is between runs, since filling takes
 * minutes: {@code -Dstore.home}, by default the directory for temporary files.
 */
final class FilledStore implements AutoCloseable {
  static final int ENTRY_COMMANDS = 64;
  static final int REVISIONS_BACK = 10_000;
  private static final int HISTORY_ENTRIES = 312;
  private static final String PREFIX = "/registry/pods/namespace-%03d/";

  final MvccStore store;
  final int keys;
  private final int valueBytes;
  private final byte[] noise = new byte[1 << 20];
  private final SplittableRandom random = new SplittableRandom(7);
  private long index;
  private int extra;

  private FilledStore(MvccStore store, int keys, int valueBytes) {
    this.store = store;
    this.keys = keys;
    this.valueBytes = valueBytes;
    this.index = Math.max(0, store.applied().index());
    new java.util.Random(11).nextBytes(noise);
  }

  static Path home() {
    return Path.of(System.getProperty("store.home", System.getProperty("java.io.tmpdir")));
  }

  static FilledStore open(int keys, int valueBytes) throws Exception {
    Path directory = home().resolve("tidemark-bench-" + keys + "-" + valueBytes);
    Path complete = directory.resolve("complete");
    boolean filled = Files.exists(complete);
    Files.createDirectories(directory);
    MvccStore store = MvccStore.open(directory.resolve("db"), limits());
    FilledStore opened = new FilledStore(store, keys, valueBytes);
    if (!filled) {
      opened.fill();
      Files.createFile(complete);
    }
    return opened;
  }

  /** A store of its own with that many keys, gone with {@code directory}. */
  static FilledStore fresh(Path directory, int keys, int valueBytes) {
    FilledStore opened =
        new FilledStore(MvccStore.open(directory.resolve("db"), limits()), keys, valueBytes);
    opened.load();
    return opened;
  }

  private static MvccLimits limits() {
    return MvccLimits.defaults()
        .withMemoryBytes(Long.getLong("store.memoryMiB", 128) * 1024 * 1024);
  }

  private void fill() throws Exception {
    load();
    // A store that was loaded long ago: only what comes now can be looked back to.
    commit(batch -> batch.compact(batch.revision()));
    store.physicalCompaction(store.compactRevision()).get();
    for (int i = 0; i < HISTORY_ENTRIES; i++) {
      history();
    }
    store.runs().awaitBuilt(store.revision());
    store.flush();
  }

  /** The keys, in the order of their names, many to an entry. */
  private void load() {
    int at = 0;
    while (at < keys) {
      int from = at;
      int to = Math.min(keys, at + 1_000);
      commit(
          batch -> {
            for (int i = from; i < to; i++) {
              batch.put(key(i), value(), 0);
            }
            batch.finishCommand();
          });
      at = to;
    }
  }

  private void history() {
    commit(
        batch -> {
          for (int i = 0; i < ENTRY_COMMANDS; i++) {
            int dice = random.nextInt(10);
            if (dice == 0) {
              batch.put(newKey(), value(), 0);
            } else if (dice == 1) {
              batch.deleteRange(KeyRange.single(anyKey()));
            } else {
              batch.put(anyKey(), value(), 0);
            }
            batch.finishCommand();
          }
        });
  }

  interface Commands {
    void in(EntryBatch batch);
  }

  void commit(Commands commands) {
    try (EntryBatch batch = store.begin(1, ++index)) {
      commands.in(batch);
      batch.finishCommand();
      batch.commit();
    }
  }

  /** An entry of overwrites, its keys read with one call. */
  void overwrites() {
    ByteString[] chosen = new ByteString[ENTRY_COMMANDS];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = anyKey();
    }
    commit(
        batch -> {
          batch.prefetch(java.util.List.of(chosen));
          for (ByteString key : chosen) {
            batch.put(key, value(), 0);
            batch.finishCommand();
          }
        });
  }

  /** An entry of new keys, at random places. */
  void creations() {
    ByteString[] chosen = new ByteString[ENTRY_COMMANDS];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = newKey();
    }
    commit(
        batch -> {
          batch.prefetch(java.util.List.of(chosen));
          for (ByteString key : chosen) {
            batch.put(key, value(), 0);
            batch.finishCommand();
          }
        });
  }

  ByteString anyKey() {
    return key(random.nextInt(keys));
  }

  private ByteString newKey() {
    ByteString beside = anyKey();
    return beside.concat(ByteString.copyFromUtf8("-" + extra++ + "-" + random.nextInt(1 << 20)));
  }

  /** About 47 bytes; a thousand namespaces. */
  ByteString key(int number) {
    int namespace = (int) ((long) number * 1_000 / keys);
    return ByteString.copyFromUtf8(PREFIX.formatted(namespace) + "pod-%010d".formatted(number));
  }

  /** Half of it can be compressed. */
  ByteString value() {
    byte[] value = new byte[valueBytes];
    int half = valueBytes / 2;
    System.arraycopy(noise, random.nextInt(noise.length - half), value, 0, half);
    return ByteString.copyFrom(value);
  }

  long past() {
    return store.revision() - REVISIONS_BACK;
  }

  @Override
  public void close() {
    store.close();
  }
}
