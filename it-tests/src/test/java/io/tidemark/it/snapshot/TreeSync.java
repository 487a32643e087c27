package io.tidemark.it.snapshot;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brings the store from the last state of a tree to the present one through one member, a
 * transaction per file: put, delete, or both for a renamed file. What fails is tried again until it
 * is acknowledged. One thread at a time syncs; any thread may ask what was acknowledged.
 */
final class TreeSync {
  /** Longer than an election takes. */
  private static final Duration ACKNOWLEDGED = Duration.ofSeconds(30);

  /** One acknowledged change of one key; no content means that it was deleted. */
  record Change(long revision, String key, Optional<ByteString> content) {}

  private final MemberClient member;
  private final String prefix;
  private final ConcurrentLinkedQueue<Change> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private Map<String, ByteString> synced = Map.of();

  TreeSync(MemberClient member, String prefix) {
    this.member = member;
    this.prefix = prefix;
  }

  /** Blocks until the store holds exactly these files. */
  void sync(Map<String, ByteString> files) {
    Map<String, ByteString> vanished = new LinkedHashMap<>(synced);
    vanished.keySet().removeAll(files.keySet());
    Map<ByteString, String> movable = new HashMap<>();
    vanished.forEach((name, content) -> movable.put(content, name));
    for (Map.Entry<String, ByteString> file : files.entrySet()) {
      String name = file.getKey();
      ByteString content = file.getValue();
      if (content.equals(synced.get(name))) {
        continue;
      }
      String before = synced.containsKey(name) ? null : movable.remove(content);
      if (before == null) {
        change(List.of(new Change(0, key(name), Optional.of(content))));
      } else {
        vanished.remove(before);
        change(
            List.of(
                new Change(0, key(before), Optional.empty()),
                new Change(0, key(name), Optional.of(content))));
      }
    }
    for (String name : vanished.keySet()) {
      change(List.of(new Change(0, key(name), Optional.empty())));
    }
    synced = Map.copyOf(files);
  }

  /** Everything acknowledged so far. */
  List<Change> acknowledged() {
    return List.copyOf(acknowledged);
  }

  /** Attempts so far, whatever became of them. */
  int attempts() {
    return attempts.get();
  }

  private String key(String name) {
    return prefix + name;
  }

  /**
   * An attempt that failed may have taken effect, and its repetition then deletes nothing: only
   * what the answer says was done is noted.
   */
  private void change(List<Change> changes) {
    TxnRequest.Builder request = TxnRequest.newBuilder();
    for (Change change : changes) {
      request.addSuccess(operation(change));
    }
    TxnResponse answer =
        Await.value(
            "an acknowledgement of " + changes.get(0).key(),
            ACKNOWLEDGED,
            () -> {
              attempts.incrementAndGet();
              Attempt<TxnResponse> attempt = member.txn(request.build());
              return attempt.answered() ? attempt.answer() : null;
            });
    List<Change> done = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      boolean changed =
          change.content().isPresent()
              || answer.getResponses(i).getResponseDeleteRange().getDeleted() == 1;
      if (changed) {
        done.add(new Change(answer.getHeader().getRevision(), change.key(), change.content()));
      }
    }
    acknowledged.addAll(done);
  }

  private static RequestOp operation(Change change) {
    ByteString key = ByteString.copyFromUtf8(change.key());
    RequestOp.Builder operation = RequestOp.newBuilder();
    change
        .content()
        .ifPresentOrElse(
            content ->
                operation.setRequestPut(PutRequest.newBuilder().setKey(key).setValue(content)),
            () -> operation.setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key)));
    return operation.build();
  }
}
