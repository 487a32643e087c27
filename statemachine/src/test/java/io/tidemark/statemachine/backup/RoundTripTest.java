package io.tidemark.statemachine.backup;

import static io.tidemark.statemachine.backup.Stores.backup;
import static io.tidemark.statemachine.backup.Stores.command;
import static io.tidemark.statemachine.backup.Stores.hash;
import static io.tidemark.statemachine.backup.Stores.history;
import static io.tidemark.statemachine.backup.Stores.open;
import static io.tidemark.statemachine.backup.Stores.put;
import static io.tidemark.statemachine.backup.Stores.restore;
import static io.tidemark.statemachine.backup.Stores.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.Role;
import io.tidemark.api.authpb.User;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.mvcc.CompactedException;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.auth.AuthRows;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseReads;
import io.tidemark.statemachine.lease.LeaseRows;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store comes back from its backup as it was. */
class RoundTripTest {
  @TempDir Path directory;

  @Test
  void emptyStore() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      BackupFile written = backup(store, directory.resolve("f"));
      assertEquals(written.bytes() + 32, Files.size(directory.resolve("f")));
      assertEquals(
          new StoreImport.Loaded(1, -1),
          restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE));
      assertSame(store, directory.resolve("b"));
    }
  }

  @Test
  void changesOfOneRevisionKeepTheirOrder() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      put(store, "b", "1");
      put(store, "a", "1");
      command(
          store,
          batch -> {
            batch.put(utf8("z"), utf8("2"), 5);
            batch.deleteRange(KeyRange.single(utf8("a")));
            batch.put(utf8("b"), utf8(""), 0);
          });
      backup(store, directory.resolve("f"));
      restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE);
      assertSame(store, directory.resolve("b"));
      assertEquals(4, status("f").revision());
      // Five changes; position, term and voters; whether rights count, and their revision.
      assertEquals(10, status("f").totalKeys());
    }
  }

  @Test
  void deletionsAtTheCompactRevisionStay() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      put(store, "a", "1");
      put(store, "b", "1");
      command(store, batch -> batch.deleteRange(KeyRange.ALL));
      command(store, batch -> batch.compact(4));
      backup(store, directory.resolve("f"));
      assertEquals(
          new StoreImport.Loaded(4, 4),
          restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE));
      assertSame(store, directory.resolve("b"));
    }
  }

  @Test
  void valuesLargerThanAPage() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      for (int size : new int[] {1, 4_000, 4_030, 4_031, 4_064, 4_096, 70_000, 1_500_000, 10}) {
        put(store, "k" + size, "v".repeat(size));
      }
      backup(store, directory.resolve("f"));
      restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE);
      assertSame(store, directory.resolve("b"));
    }
  }

  @Test
  void randomHistories() throws IOException {
    for (int seed = 0; seed < 6; seed++) {
      Path store = directory.resolve("a" + seed);
      try (MvccStore random = open(store)) {
        write(random, new Random(seed), 1_500, 200);
        backup(random, directory.resolve("f" + seed));
        restore(
            directory.resolve("f" + seed), directory.resolve("b" + seed), StoreImport.Changes.NONE);
        assertSame(random, directory.resolve("b" + seed));
      }
    }
  }

  @Test
  @Tag("long")
  void hundredThousandKeysWithHistory() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      write(store, new Random(1), 300_000, 100_000);
      backup(store, directory.resolve("f"));
      restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE);
      try (MvccStore back = open(directory.resolve("b"))) {
        assertEquals(store.revision(), back.revision());
        assertEquals(hash(store), hash(back));
      }
    }
  }

  @Test
  void leasesUsersAndRolesComeBack() throws IOException {
    User user =
        User.newBuilder()
            .setName(utf8("ann"))
            .setPassword(utf8("$2a$10$hash"))
            .addRoles("writer")
            .build();
    Role role =
        Role.newBuilder()
            .setName(utf8("writer"))
            .addKeyPermission(Permission.newBuilder().setKey(utf8("k")).setRangeEnd(utf8("l")))
            .build();
    try (MvccStore store = open(directory.resolve("a"))) {
      command(
          store,
          batch -> {
            for (long id : new long[] {5, 9, -3}) {
              batch.tablePut(
                  Table.LEASE, LeaseRows.idBytes(id), LeaseRows.row(new Lease(60 + id, 12)));
            }
            batch.tablePut(Table.AUTH, AuthRows.STATUS_KEY, AuthRows.statusRow(true, 8));
            batch.tablePut(Table.AUTH, AuthRows.userKey(user.getName()), user.toByteString());
            batch.tablePut(Table.AUTH, AuthRows.roleKey(role.getName()), role.toByteString());
            batch.put(utf8("k1"), utf8("v"), 5);
            batch.put(utf8("k2"), utf8("v"), 5);
          });
      command(store, batch -> batch.put(utf8("k1"), utf8("v"), -3));
      command(store, batch -> batch.put(utf8("gone"), utf8("v"), 9));
      command(store, batch -> batch.deleteRange(KeyRange.single(utf8("gone"))));
      backup(store, directory.resolve("f"));
    }
    restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE);
    try (MvccStore back = open(directory.resolve("b"));
        ReadView view = back.view()) {
      Map<Long, Long> leases = new TreeMap<>();
      LeaseReads.forEach(
          view,
          (id, lease) -> {
            assertFalse(lease.isLogged());
            leases.put(id, lease.ttlSeconds());
          });
      assertEquals(Map.of(5L, 65L, 9L, 69L, -3L, 57L), leases);
      assertEquals(List.of(utf8("k2")), LeaseReads.keys(view, 5));
      assertEquals(List.of(utf8("k1")), LeaseReads.keys(view, -3));
      assertEquals(List.of(), LeaseReads.keys(view, 9));
      AuthState auth = AuthRows.load(view);
      assertTrue(auth.enabled());
      assertEquals(8, auth.revision());
      assertEquals(user, auth.user("ann"));
      assertEquals(role, auth.role("writer"));
    }
  }

  @Test
  void bumpedRevisionIsCompacted() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      put(store, "a", "1");
      put(store, "a", "2");
      command(store, batch -> batch.deleteRange(KeyRange.single(utf8("a"))));
      put(store, "b", "1");
      backup(store, directory.resolve("f"));
    }
    assertEquals(
        new StoreImport.Loaded(1_005, 1_005),
        restore(
            directory.resolve("f"), directory.resolve("b"), new StoreImport.Changes(1_000, true)));
    try (MvccStore bumped = open(directory.resolve("b"))) {
      assertEquals(1_005, bumped.revision());
      assertEquals(List.of(), history(bumped, 1_005));
      try (ReadView view = bumped.view()) {
        assertThrows(CompactedException.class, () -> view.history(1_004, false));
        assertEquals(
            KeyValue.newBuilder()
                .setKey(utf8("b"))
                .setValue(utf8("1"))
                .setCreateRevision(5)
                .setModRevision(5)
                .setVersion(1)
                .build(),
            view.get(utf8("b"), 0));
        assertEquals(1, view.count(KeyRange.ALL, 0));
      }
      put(bumped, "b", "2");
      assertEquals(1_006, bumped.revision());
      // A backup of that holds the revision although nothing happened at it.
      backup(bumped, directory.resolve("g"));
      assertEquals(1_006, status("g").revision());
    }
  }

  @Test
  void equalStoresForAllFounders() throws IOException {
    try (MvccStore store = open(directory.resolve("a"))) {
      write(store, new Random(9), 400, 50);
      backup(store, directory.resolve("f"));
    }
    restore(directory.resolve("f"), directory.resolve("b"), StoreImport.Changes.NONE);
    restore(directory.resolve("f"), directory.resolve("c"), StoreImport.Changes.NONE);
    try (MvccStore one = open(directory.resolve("b"));
        MvccStore two = open(directory.resolve("c"));
        ReadView view = one.view()) {
      assertEquals(hash(one), hash(two));
      assertEquals(new AppliedPosition(1, 1), one.applied());
      assertEquals(new AppliedPosition(1, 1), two.applied());
      assertEquals(Stores.GENESIS.founders(), MemberTable.members(view));
      assertEquals(0x1234, MemberTable.clusterId(view).orElseThrow());
    }
  }

  private SnapshotFile.Status status(String file) throws IOException {
    try (SnapshotFile snapshot =
        SnapshotFile.open(directory.resolve(file), SnapshotFile.Digest.REQUIRED)) {
      return snapshot.status();
    }
  }

  /** Puts, deletions, transactions and now and then a compaction. */
  private static void write(MvccStore store, Random random, int commands, int keys) {
    for (int i = 0; i < commands; i++) {
      command(
          store,
          batch -> {
            int size = random.nextInt(10) == 0 ? 1 + random.nextInt(5) : 1;
            int first = random.nextInt(keys);
            for (int k = 0; k < size; k++) {
              ByteString key = utf8("key/" + (first + k) % keys);
              if (random.nextInt(6) == 0) {
                batch.deleteRange(KeyRange.single(key));
              } else {
                int length = random.nextInt(50) == 0 ? random.nextInt(9_000) : random.nextInt(40);
                batch.put(key, utf8("v".repeat(length)), random.nextInt(3));
              }
            }
          });
      if (i > 0 && i % (commands / 4) == 0) {
        long target = store.revision() - random.nextInt(Math.max(1, commands / 10));
        if (target > Math.max(1, store.compactRevision())) {
          command(store, batch -> batch.compact(target));
        }
      }
    }
  }

  private static void assertSame(MvccStore expected, Path directory) {
    try (MvccStore actual = open(directory);
        ReadView before = expected.view();
        ReadView after = actual.view()) {
      assertEquals(before.revision(), after.revision());
      assertEquals(before.compactRevision(), after.compactRevision());
      long oldest = Math.max(1, before.compactRevision());
      for (long at = oldest; at <= before.revision(); at += 1 + before.revision() / 20) {
        assertEquals(pairs(before, at), pairs(after, at), "at revision " + at);
      }
      assertEquals(history(expected, oldest), history(actual, oldest));
      assertEquals(before.digest(0).hash(), after.digest(0).hash());
    }
  }

  private static List<KeyValue> pairs(ReadView view, long revision) {
    List<KeyValue> pairs = new ArrayList<>();
    view.forEach(KeyRange.ALL, revision, pairs::add);
    return pairs;
  }
}
