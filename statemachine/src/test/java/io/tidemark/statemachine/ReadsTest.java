package io.tidemark.statemachine;

import static io.tidemark.statemachine.testing.Requests.OPEN;
import static io.tidemark.statemachine.testing.Requests.absent;
import static io.tidemark.statemachine.testing.Requests.bytes;
import static io.tidemark.statemachine.testing.Requests.exists;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.range;
import static io.tidemark.statemachine.testing.Requests.rangeAt;
import static io.tidemark.statemachine.testing.Requests.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.mvcc.CompactedException;
import io.tidemark.mvcc.FutureRevisionException;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionException;
import io.tidemark.statemachine.read.KvReads;
import io.tidemark.statemachine.read.RangeStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranges, streamed ranges and read-only transactions on a view of a real store. */
final class ReadsTest {
  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private RangeResponse read(RangeRequest request) {
    try (ReadView view = machine.store().view()) {
      return parse(KvReads.rangeResponse(view, request));
    }
  }

  private static RangeResponse parse(ByteString response) {
    try {
      return RangeResponse.parseFrom(response);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("unreadable response", e);
    }
  }

  private EtcdError refused(RangeRequest request) {
    return KvReads.error(assertThrows(RevisionException.class, () -> read(request)));
  }

  @Test
  void aRangeTellsTheCurrentRevisionWhateverItReads() {
    machine.put("k", "1");
    machine.put("k", "2");
    RangeResponse past = read(rangeAt("k", 2));
    assertEquals(3, past.getHeader().getRevision());
    assertEquals(bytes("1"), past.getKvs(0).getValue());
    RangeResponse missing = read(range("x"));
    assertEquals(3, missing.getHeader().getRevision());
    assertEquals(0, missing.getCount());
    assertEquals(bytes("2"), read(rangeAt("k", -7)).getKvs(0).getValue(), "negative is newest");
  }

  @Test
  void revisionsOutOfBoundsAreRefused() {
    machine.put("k", "1");
    machine.put("k", "2");
    machine.compact(3);
    assertEquals(EtcdError.COMPACTED, refused(rangeAt("k", 2)));
    assertEquals(EtcdError.FUTURE_REV, refused(rangeAt("k", 4)));
    assertEquals(1, read(rangeAt("k", 3)).getCount());
  }

  @Test
  void countsKeysAndCutsAreAsAsked() {
    for (int i = 0; i < 5; i++) {
      machine.put("k" + i, "v");
    }
    RangeResponse page = read(range("k", "l").toBuilder().setLimit(2).build());
    assertEquals(
        List.of(2, 5L, true), List.of(page.getKvsCount(), page.getCount(), page.getMore()));
    RangeResponse count = read(range("k", "l").toBuilder().setCountOnly(true).setLimit(2).build());
    assertEquals(
        List.of(0, 5L, false), List.of(count.getKvsCount(), count.getCount(), count.getMore()));
    RangeResponse keys = read(range("k", OPEN).toBuilder().setKeysOnly(true).build());
    assertEquals(5, keys.getKvsCount());
    assertTrue(keys.getKvsList().stream().allMatch(pair -> pair.getValue().isEmpty()));
    assertEquals(6, keys.getKvs(4).getModRevision());
  }

  @Test
  void readOnlyTransactionsReadOneState() {
    machine.put("a", "1");
    machine.put("a", "2");
    try (ReadView view = machine.store().view()) {
      machine.put("a", "3");
      TxnResponse response =
          KvReads.readOnlyTxn(
              view,
              txn(
                  List.of(exists("a"), absent("b")),
                  List.of(op(range("a")), op(rangeAt("a", 2)), op(rangeAt("a", -1))),
                  List.of()));
      assertTrue(response.getSucceeded());
      assertEquals(3, response.getHeader().getRevision());
      assertEquals(
          List.of("2", "1", "2"),
          response.getResponsesList().stream()
              .map(op -> op.getResponseRange().getKvs(0).getValue().toStringUtf8())
              .toList());
      assertTrue(
          response.getResponsesList().stream()
              .allMatch(op -> op.getResponseRange().getHeader().getRevision() == 3));
      assertFalse(
          KvReads.readOnlyTxn(view, txn(List.of(exists("b")), List.of(), List.of()))
              .getSucceeded());
    }
  }

  @Test
  void readOnlyTransactionsAreRefusedAsAWhole() {
    machine.put("a", "1");
    machine.put("a", "2");
    machine.compact(3);
    try (ReadView view = machine.store().view()) {
      for (long revision : List.of(2L, -1L)) {
        CompactedException compacted =
            assertThrows(
                CompactedException.class,
                () -> KvReads.readOnlyTxn(view, txn(op(range("a")), op(rangeAt("a", revision)))));
        assertEquals(revision, compacted.asked());
      }
      assertThrows(
          FutureRevisionException.class, () -> KvReads.readOnlyTxn(view, txn(op(rangeAt("a", 4)))));
      TxnResponse other =
          KvReads.readOnlyTxn(
              view, txn(List.of(), List.of(op(range("a"))), List.of(op(rangeAt("a", 99)))));
      assertEquals(1, other.getResponsesCount());
    }
  }

  private List<RangeResponse> stream(RangeRequest request, int chunkBytes) {
    List<RangeResponse> chunks = new ArrayList<>();
    try (ReadView view = machine.store().view()) {
      RangeStream stream = new RangeStream(view, request, chunkBytes);
      ByteString all = ByteString.EMPTY;
      while (stream.hasNext()) {
        ByteString chunk = stream.next();
        all = all.concat(chunk);
        chunks.add(parse(chunk));
      }
      assertEquals(parse(KvReads.rangeResponse(view, request)), parse(all), "merged");
    }
    for (RangeResponse chunk : chunks.subList(0, chunks.size() - 1)) {
      assertEquals(
          RangeResponse.newBuilder().addAllKvs(chunk.getKvsList()).build(), chunk, "only pairs");
    }
    assertTrue(chunks.get(chunks.size() - 1).hasHeader());
    return chunks;
  }

  private static List<Integer> sizes(List<RangeResponse> chunks) {
    return chunks.stream().map(RangeResponse::getKvsCount).toList();
  }

  private void fill(int count, int valueBytes) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      commands.add(new Command.Put(put(String.format("k%04d", i), "v".repeat(valueBytes))));
    }
    machine.apply(commands);
  }

  @Test
  void smallChunksGrow() {
    fill(100, 1);
    assertEquals(List.of(10, 20, 40, 30), sizes(stream(range("k", OPEN), 1 << 20)));
    assertEquals(List.of(10, 20, 5), sizes(stream(limited(35), 1 << 20)));
    assertEquals(List.of(10, 20), sizes(stream(limited(30), 1 << 20)));
    assertEquals(List.of(10), sizes(stream(limited(10), 1 << 20)));
    assertEquals(List.of(3), sizes(stream(limited(3), 1 << 20)));
    assertTrue(stream(limited(30), 1 << 20).get(1).getMore());
    assertEquals(100, stream(limited(30), 1 << 20).get(1).getCount());
  }

  private static RangeRequest limited(long limit) {
    return range("k", OPEN).toBuilder().setLimit(limit).build();
  }

  @Test
  void largeChunksShrink() {
    fill(30, 1000);
    // ten pairs are some 10 kB: above 2 x 1,000 they halve until they are not
    assertEquals(List.of(10, 5, 2), sizes(stream(range("k", OPEN), 1000)).subList(0, 3));
    assertEquals(List.of(10, 5, 2, 1, 1), sizes(stream(range("k", OPEN), 100)).subList(0, 5));
    // between a half and twice the aim they keep their size
    assertEquals(List.of(10, 10, 10), sizes(stream(range("k", OPEN), 10_000)));
  }

  @Test
  void aStreamHasAlwaysALastChunk() {
    machine.put("k", "1");
    assertEquals(List.of(0), sizes(stream(range("x"), 1000)));
    assertEquals(List.of(1), sizes(stream(range("k"), 1000)));
    assertEquals(List.of(0), sizes(stream(range("z", "a"), 1000)));
    fill(20, 1);
    List<RangeResponse> count =
        stream(range("k", OPEN).toBuilder().setCountOnly(true).build(), 1000);
    assertEquals(List.of(0), sizes(count));
    assertEquals(21, count.get(0).getCount());
  }

  @Test
  void aStreamStaysAtItsRevision() {
    fill(40, 1);
    long revision = machine.store().revision();
    try (ReadView view = machine.store().view()) {
      RangeStream stream = new RangeStream(view, range("k", OPEN), 1 << 20);
      ByteString all = stream.next();
      machine.put("k0039", "changed");
      machine.put("k9", "new");
      while (stream.hasNext()) {
        all = all.concat(stream.next());
      }
      RangeResponse merged = parse(all);
      assertEquals(40, merged.getKvsCount());
      assertEquals(bytes("v"), merged.getKvs(39).getValue());
      assertEquals(revision, merged.getHeader().getRevision());
    }
    assertEquals(
        40,
        stream(range("k", OPEN).toBuilder().setRevision(revision).build(), 1000).stream()
            .mapToInt(RangeResponse::getKvsCount)
            .sum());
  }

  @Test
  void aStreamOutOfBoundsFailsAtItsFirstChunk() {
    machine.put("k", "1");
    try (ReadView view = machine.store().view()) {
      RangeStream stream = new RangeStream(view, rangeAt("k", 9), 1000);
      assertTrue(stream.hasNext());
      assertThrows(FutureRevisionException.class, stream::next);
    }
  }
}
