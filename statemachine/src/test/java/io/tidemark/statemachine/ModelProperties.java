package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.mvcc.Change;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.mvcc.RevisionException;
import io.tidemark.mvcc.StoreDigest;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseReads;
import io.tidemark.statemachine.read.KvReads;
import io.tidemark.statemachine.testing.CommandArbitraries;
import io.tidemark.statemachine.testing.ReferenceStore;
import io.tidemark.statemachine.testing.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * The machine against the plain model: equal outcomes, events and reads for random commands,
 * however they are spread over entries.
 */
final class ModelProperties {
  @Provide
  Arbitrary<List<List<Command>>> entries() {
    return CommandArbitraries.commands().list().ofMinSize(1).ofMaxSize(5).list().ofSize(12);
  }

  @Provide
  Arbitrary<List<RangeRequest>> ranges() {
    return CommandArbitraries.ranges().list().ofSize(60);
  }

  @Property(tries = 40, shrinking = ShrinkingMode.BOUNDED)
  void behavesLikeTheModel(
      @ForAll("entries") List<List<Command>> entries, @ForAll("ranges") List<RangeRequest> ranges) {
    ReferenceStore model = new ReferenceStore();
    try (Machine together = new Machine();
        Machine apart = new Machine()) {
      for (List<Command> commands : entries) {
        long before = model.revision();
        List<Outcome> expected = commands.stream().map(model::apply).toList();
        AppliedEntry applied = together.apply(commands);
        assertEquals(expected, applied.outcomes());
        assertEquals(model.eventsAfter(before), events(applied.batches()));
        assertEquals(model.revision(), together.store().revision());
        assertLeasesLike(model, together);
        assertEquals(model.compactRevision(), together.store().compactRevision());
        assertEquals(
            expected,
            commands.stream().map(command -> apart.apply(command).outcomes().get(0)).toList());
      }
      assertEquals(together.published(), apart.published());
      assertEquals(digest(apart), digest(together));
      assertEquals(leaseRows(apart), leaseRows(together));
      assertReadsLike(model, together, ranges);
      together.reopen();
      assertLeasesLike(model, together);
      assertEquals(digest(apart), digest(together));
    }
  }

  private static void assertLeasesLike(ReferenceStore model, Machine machine) {
    Map<Long, ReferenceStore.Lease> inMemory = new TreeMap<>();
    machine.commands().leases().forEach((id, lease) -> inMemory.put(id, plain(lease)));
    assertEquals(model.leases(), inMemory);
    assertEquals(model.leaseClock(), machine.commands().leases().clock());
    try (ReadView view = machine.store().view()) {
      Map<Long, ReferenceStore.Lease> stored = new TreeMap<>();
      LeaseReads.forEach(view, (id, lease) -> stored.put(id, plain(lease)));
      assertEquals(model.leases(), stored);
      assertEquals(model.leaseClock(), LeaseReads.clock(view));
      for (long id : List.of(7L, 8L, -9L)) {
        assertEquals(model.leaseKeys(id), LeaseReads.keys(view, id));
      }
    }
  }

  private static ReferenceStore.Lease plain(Lease lease) {
    return new ReferenceStore.Lease(lease.ttlSeconds(), lease.renewedAt());
  }

  private static List<ByteString> leaseRows(Machine machine) {
    List<ByteString> rows = new ArrayList<>();
    try (ReadView view = machine.store().view()) {
      for (Table table : List.of(Table.LEASE, Table.LEASE_KEY, Table.META)) {
        view.tableScan(table, (key, row) -> rows.add(key.concat(row)));
      }
    }
    return rows;
  }

  /** The random ranges, and everything at every readable revision. */
  private static void assertReadsLike(
      ReferenceStore model, Machine machine, List<RangeRequest> ranges) {
    try (ReadView view = machine.store().view()) {
      for (RangeRequest request : ranges) {
        assertEquals(model.range(request), read(view, request), request::toString);
      }
      RangeRequest everything = Requests.range(Requests.OPEN, Requests.OPEN);
      for (long revision = -1; revision <= model.revision() + 1; revision++) {
        RangeRequest request = everything.toBuilder().setRevision(revision).build();
        assertEquals(model.range(request), read(view, request), request::toString);
      }
    }
  }

  private static Outcome read(ReadView view, RangeRequest request) {
    try {
      return new Outcome.Done(KvReads.rangeResponse(view, request), view.revision());
    } catch (RevisionException refusal) {
      return new Outcome.Rejected(KvReads.error(refusal));
    }
  }

  private static SortedMap<Long, List<Change>> events(List<RevisionBatch> batches) {
    SortedMap<Long, List<Change>> events = new TreeMap<>();
    for (RevisionBatch batch : batches) {
      events.put(batch.revision(), batch.changes());
    }
    assertEquals(batches.size(), events.size(), "a revision was published twice");
    return events;
  }

  private static StoreDigest digest(Machine machine) {
    try (ReadView view = machine.store().view()) {
      StoreDigest digest = view.digest(view.revision());
      return new StoreDigest(digest.revision(), digest.compactRevision(), 0, digest.hash());
    }
  }
}
