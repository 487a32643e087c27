package io.tidemark.it.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What a client can find out about a store with history: all pairs at some revisions, every event
 * from the compact revision on, and all leases with their keys.
 *
 * @param compacted its compact revision
 * @param revision its newest revision
 */
record Contents(
    long compacted,
    long revision,
    List<List<KeyValue>> pairs,
    List<Event> events,
    List<String> leases) {
  private static final ByteString EVERYTHING = ByteString.copyFrom(new byte[] {0});
  private static final int READS = 7;

  /** Writes history into a store: overwrites, transactions, deletions, a compaction, more of it. */
  static Contents write(MemberClient client, int commands, long seed) {
    Random random = new Random(seed);
    grant(client, 600);
    grant(client, -7);
    for (int i = 0; i < commands; i++) {
      command(client, random);
    }
    long compacted = revision(client) - commands / 4;
    client.compact(compacted).answer();
    for (int i = 0; i < commands / 2; i++) {
      command(client, random);
    }
    client.put(put("leased/a", "1", 600)).answer();
    client.put(put("leased/b", "1", -7)).answer();
    client.put(put("leased/b", "2", 600)).answer();
    client.put("large", "v".repeat(300_000)).answer();
    client.put("large", "w".repeat(5_000)).answer();
    return of(client, compacted);
  }

  /** What a member shows now. */
  static Contents of(MemberClient client, long compacted) {
    long revision = revision(client);
    List<List<KeyValue>> pairs = new ArrayList<>();
    for (int i = 0; i <= READS; i++) {
      pairs.add(pairs(client, compacted + (revision - compacted) * i / READS));
    }
    return new Contents(
        compacted, revision, pairs, events(client, compacted, revision), leases(client));
  }

  /** Compares piece by piece, so that a failure says where. */
  void assertSameAs(Contents other) {
    assertEquals(compacted, other.compacted);
    assertEquals(revision, other.revision);
    for (int i = 0; i < pairs.size(); i++) {
      assertEquals(pairs.get(i), other.pairs.get(i), "pairs of read " + i);
    }
    assertEquals(events, other.events);
    assertEquals(leases, other.leases);
  }

  static long revision(MemberClient client) {
    return client.get("health").answer().getHeader().getRevision();
  }

  private static void command(MemberClient client, Random random) {
    int first = random.nextInt(40);
    switch (random.nextInt(6)) {
      case 0 -> client.delete("key" + first).answer();
      case 1 -> {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (int i = 0; i < 3; i++) {
          txn.addSuccess(RequestOp.newBuilder().setRequestPut(put("txn" + (first + i), "t", 0)));
        }
        txn.addSuccess(
            RequestOp.newBuilder()
                .setRequestDeleteRange(
                    DeleteRangeRequest.newBuilder().setKey(utf8("key")).setRangeEnd(utf8("key2"))));
        client.txn(txn.build()).answer();
      }
      default -> client.put("key" + first, "v".repeat(random.nextInt(200))).answer();
    }
  }

  static PutRequest put(String key, String value, long lease) {
    return PutRequest.newBuilder().setKey(utf8(key)).setValue(utf8(value)).setLease(lease).build();
  }

  private static List<KeyValue> pairs(MemberClient client, long revision) {
    return client
        .range(
            RangeRequest.newBuilder()
                .setKey(EVERYTHING)
                .setRangeEnd(EVERYTHING)
                .setRevision(revision)
                .build())
        .answer()
        .getKvsList();
  }

  private static List<Event> events(MemberClient client, long from, long until) {
    try (WatchProbe probe = client.watch()) {
      probe.create(
          WatchCreateRequest.newBuilder()
              .setKey(EVERYTHING)
              .setRangeEnd(EVERYTHING)
              .setStartRevision(from)
              .build());
      probe.awaitRevision(0, until);
      return probe.events(0);
    }
  }

  private static void grant(MemberClient client, long id) {
    stub(client).leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(3_000).build());
  }

  static List<String> leases(MemberClient client) {
    return stub(client)
        .leaseLeases(LeaseLeasesRequest.getDefaultInstance())
        .getLeasesList()
        .stream()
        .map(LeaseStatus::getID)
        .sorted()
        .map(id -> lease(client, id))
        .toList();
  }

  private static String lease(MemberClient client, long id) {
    LeaseTimeToLiveResponse found =
        stub(client)
            .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder().setID(id).setKeys(true).build());
    return id
        + ": "
        + found.getGrantedTTL()
        + " s, "
        + found.getKeysList().stream().map(ByteString::toStringUtf8).sorted().toList();
  }

  private static LeaseGrpc.LeaseBlockingStub stub(MemberClient client) {
    return LeaseGrpc.newBlockingStub(client.channel()).withDeadlineAfter(15, TimeUnit.SECONDS);
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
