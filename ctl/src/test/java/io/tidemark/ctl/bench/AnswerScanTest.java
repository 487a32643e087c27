package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AnswerScanTest {
  private static final ResponseHeader HEADER =
      ResponseHeader.newBuilder().setClusterId(-1).setMemberId(7).setRevision(900).build();

  private final KeySpace keys = new KeySpace("k/", 10, 64, 1);

  private Event event(ByteString value) {
    KeyValue kv =
        KeyValue.newBuilder()
            .setKey(keys.key(3))
            .setCreateRevision(2)
            .setModRevision(41)
            .setVersion(5)
            .setValue(value)
            .setLease(9)
            .build();
    return Event.newBuilder().setKv(kv).setPrevKv(kv.toBuilder().clearValue()).build();
  }

  @Test
  void findsTheFirstModRevision() throws IOException {
    RangeResponse answer =
        RangeResponse.newBuilder()
            .setHeader(HEADER)
            .addKvs(event(ByteString.EMPTY).getKv())
            .addKvs(KeyValue.newBuilder().setModRevision(77))
            .setCount(2)
            .build();
    assertEquals(41, AnswerScan.firstModRevision(answer.toByteArray()));
    assertEquals(
        0,
        AnswerScan.firstModRevision(
            RangeResponse.newBuilder().setHeader(HEADER).build().toByteArray()));
  }

  @Test
  void tellsWhetherATransactionSucceeded() throws IOException {
    TxnResponse answer = TxnResponse.newBuilder().setHeader(HEADER).setSucceeded(true).build();
    assertTrue(AnswerScan.txnSucceeded(answer.toByteArray()));
    assertFalse(AnswerScan.txnSucceeded(answer.toBuilder().clearSucceeded().build().toByteArray()));
  }

  @Test
  void readsTheStampOfEveryEvent() throws IOException {
    SplittableRandom random = keys.random(0);
    WatchResponse answer =
        WatchResponse.newBuilder()
            .setHeader(HEADER)
            .setWatchId(3)
            .addEvents(event(keys.stampedValue(random, 123_456_789_012L)))
            .addEvents(event(ByteString.copyFromUtf8("short")))
            .addEvents(event(keys.stampedValue(random, -2)))
            .build();
    List<Long> stamps = new ArrayList<>();
    AnswerScan.WatchNote note = AnswerScan.watch(answer.toByteArray(), stamps::add);
    assertEquals(List.of(123_456_789_012L, 0L, -2L), stamps);
    assertEquals(new AnswerScan.WatchNote(false, false), note);
  }

  @Test
  void noticesCreationAndCancellation() throws IOException {
    WatchResponse answer = WatchResponse.newBuilder().setHeader(HEADER).setCreated(true).build();
    assertEquals(
        new AnswerScan.WatchNote(true, false), AnswerScan.watch(answer.toByteArray(), s -> {}));
    assertEquals(
        new AnswerScan.WatchNote(true, true),
        AnswerScan.watch(answer.toBuilder().setCanceled(true).build().toByteArray(), s -> {}));
  }
}
