package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.peer.PeerChannels;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.ratis.PeerTransport;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.settings.PeerRoutes;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.EntryCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Members of different versions: what an older one left is taken over, and what a newer one wrote
 * stops a member with a text that names both versions, before it has changed anything.
 */
@Timeout(120)
final class OtherVersionsTest {
  private static final byte[] FORMAT = "format".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RUNS = "runs".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;

  /** Upgraded one after the other, and the last one with a follower's work in between. */
  @Test
  void aStoreOfAnOlderFormatIsUpgradedWhileTheOthersGoOn() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      for (int n = 0; n < 30; n++) {
        cluster.putNow(n % 3, "k" + n % 4, "v" + n);
      }
      long revision = cluster.member(0).revision();
      for (int i = 0; i < 3; i++) {
        cluster.awaitRevision(i, revision);
        cluster.stop(i);
        makeFormat1(liveStore(cluster.directoryOf(i)));
        revision = cluster.putNow((i + 1) % 3, "meanwhile", "m" + i);
        cluster.start(i);
        revision = cluster.putNow(i, "after", "a" + i);
        for (int other = 0; other < 3; other++) {
          cluster.awaitRevision(other, revision);
          assertEquals(cluster.digest(i), cluster.digest(other));
        }
      }
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void aStoreOfANewerFormatIsLeftAlone() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      long revision = cluster.putNow(0, "k", "1");
      cluster.stop(0);
      Path store = liveStore(cluster.directoryOf(0));
      put(store, FORMAT, new byte[] {3});
      for (int attempt = 0; attempt < 2; attempt++) {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> cluster.start(0));
        assertTrue(
            refused.toString().contains("has format 03, and this version reads formats 01 and 02"),
            refused::toString);
      }
      put(store, FORMAT, new byte[] {2});
      cluster.start(0);
      TestCluster.await("what was there", () -> cluster.member(0).revision() == revision);
      assertEquals(revision + 1, cluster.putNow(0, "k", "2"));
    }
  }

  /** It came from a newer leader, and the member was stopped before it had looked at it. */
  @Test
  void aSnapshotOfANewerFormatIsNeverTheLiveStore() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      cluster.putNow(0, "k", "1");
      cluster.stop(0);
      Path member = cluster.directoryOf(0).resolve("member");
      Path live = liveStore(cluster.directoryOf(0));
      Path snapshots = only(member.resolve("raft"), "74696465").resolve("sm");
      Path received = snapshots.resolve("cp-9_9999");
      copy(live, received);
      put(received, "state".getBytes(StandardCharsets.US_ASCII), state(9, 9999));
      put(received, FORMAT, new byte[] {3});
      RuntimeException refused = assertThrows(RuntimeException.class, () -> cluster.start(0));
      assertTrue(
          refused.toString().contains("has format 03, and this version reads formats 01 and 02"),
          refused::toString);
      assertEquals(live, liveStore(cluster.directoryOf(0)));
      put(received, FORMAT, new byte[] {2}); // as after an upgrade of the program
      cluster.start(0);
      assertEquals("1", cluster.read(0, "k"));
      assertTrue(!live.equals(liveStore(cluster.directoryOf(0))));
    }
  }

  @Test
  void anEntryOfANewerVersionStopsTheMember() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      long revision = cluster.putNow(0, "k", "1");
      byte[] entry = EntryCodec.encode(new BatchId(77, 1, 1), List.<ByteString>of()).toByteArray();
      entry[0] = 2;
      RaftMemberSettings settings = cluster.founderSettings(0);
      try (PeerTransport transport = new PeerTransport(settings);
          PeerChannels channels =
              new PeerChannels(
                  RatisNode.group(settings.clusterId()),
                  id ->
                      transport.open(
                          settings.founders().get(0).peerUrls().get(0), PeerRoutes.ofProperty()),
                  new PeerTraffic())) {
        var unused =
            channels.forward(
                RatisNode.peerId(settings.memberId()), entry, TimeUnit.SECONDS.toNanos(20));
        TestCluster.await("the fault", () -> !cluster.faults.isEmpty());
      }
      String fault = cluster.faults.remove();
      assertTrue(
          fault.contains("applying entry ")
              && fault.contains("entry format version 2, this build reads 1"),
          fault);
      assertEquals(revision, cluster.member(0).revision());
      ProposalResult refused = cluster.put(0, "k", ByteString.EMPTY).get(20, TimeUnit.SECONDS);
      assertTrue(!(refused instanceof ProposalResult.Applied), refused::toString);
      cluster.stop(0);
      cluster.start(0); // the log still has it
      TestCluster.await("the same fault", () -> !cluster.faults.isEmpty());
      assertEquals(fault, cluster.faults.remove());
    }
  }

  private static Path liveStore(Path data) throws Exception {
    Path kv = data.resolve("member/kv");
    return kv.resolve(Files.readString(kv.resolve("CURRENT")).strip());
  }

  private static Path only(Path parent, String prefix) throws Exception {
    try (Stream<Path> children = Files.list(parent)) {
      return children
          .filter(child -> child.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private static void copy(Path from, Path to) throws Exception {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** Term, index, revision 2, never compacted, bytes. */
  private static byte[] state(long term, long index) {
    return ByteBuffer.allocate(40)
        .putLong(term)
        .putLong(index)
        .putLong(2)
        .putLong(-1)
        .putLong(0)
        .array();
  }

  private interface Edit {
    void on(RocksDB db, List<ColumnFamilyHandle> families) throws RocksDBException;
  }

  private static void put(Path store, byte[] key, byte[] value) throws Exception {
    edit(store, (db, families) -> db.put(families.get(0), key, value));
  }

  /** Format 2 without what it added. */
  private static void makeFormat1(Path store) throws Exception {
    edit(
        store,
        (db, families) -> {
          for (ColumnFamilyHandle family : families) {
            if (new String(family.getName(), StandardCharsets.US_ASCII).equals("count")) {
              db.dropColumnFamily(family);
            }
          }
          db.delete(families.get(0), RUNS);
          db.put(families.get(0), FORMAT, new byte[] {1});
        });
  }

  private static void edit(Path store, Edit edit) throws Exception {
    RocksDB.loadLibrary();
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, store.toString())) {
        descriptors.add(new ColumnFamilyDescriptor(name));
      }
    }
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (DBOptions options = new DBOptions().setAtomicFlush(true);
        RocksDB db = RocksDB.open(options, store.toString(), descriptors, families);
        FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      edit.on(db, families);
      db.flush(flush, families.get(0));
      families.forEach(ColumnFamilyHandle::close);
    }
  }
}
