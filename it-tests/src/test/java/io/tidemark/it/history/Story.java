package io.tidemark.it.history;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.Outcome.Done;
import io.tidemark.judge.EventLog;
import java.util.List;
import java.util.Optional;

/** Short spellings for hand-made histories. */
final class Story {
  private Story() {}

  static KeyValue kv(String key, String value, long create, long mod, long version) {
    return KeyValue.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setValue(ByteString.copyFromUtf8(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .build();
  }

  static Event put(KeyValue kv) {
    return Event.newBuilder().setKv(kv).build();
  }

  static Event put(KeyValue kv, KeyValue previous) {
    return put(kv).toBuilder().setPrevKv(previous).build();
  }

  static Event delete(String key, long mod, KeyValue previous) {
    return Event.newBuilder()
        .setType(Event.EventType.DELETE)
        .setKv(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8(key)).setModRevision(mod))
        .setPrevKv(previous)
        .build();
  }

  static EventLog log(Event... events) {
    return new EventLog(List.of(events));
  }

  static Operation op(long began, long ended, Action action, Outcome outcome) {
    return new Operation("c", action, began, ended, outcome);
  }

  static Done changed(long revision) {
    return new Done(revision, true, Optional.empty());
  }

  static Done changed(long revision, KeyValue found) {
    return new Done(revision, true, Optional.of(found));
  }

  static Done seen(long revision) {
    return new Done(revision, false, Optional.empty());
  }

  static Done seen(long revision, KeyValue found) {
    return new Done(revision, false, Optional.of(found));
  }

  static Outcome unknown() {
    return new Outcome.Unknown("UNAVAILABLE etcdserver: request timed out");
  }

  static Outcome rejected() {
    return new Outcome.Rejected("INVALID_ARGUMENT etcdserver: key is not provided");
  }

  static WatchResponse created(long revision) {
    return answer(0, revision).setCreated(true).build();
  }

  static WatchResponse list(long revision, Event... events) {
    return answer(0, revision).addAllEvents(List.of(events)).build();
  }

  static WatchResponse bookmark(long id, long revision) {
    return answer(id, revision).build();
  }

  static WatchResponse canceled(long compactRevision) {
    return answer(0, 9).setCanceled(true).setCompactRevision(compactRevision).build();
  }

  private static WatchResponse.Builder answer(long id, long revision) {
    return WatchResponse.newBuilder()
        .setWatchId(id)
        .setHeader(ResponseHeader.newBuilder().setRevision(revision));
  }
}
