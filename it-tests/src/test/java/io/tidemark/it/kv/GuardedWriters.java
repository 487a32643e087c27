package io.tidemark.it.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Clients that create, update and delete objects only as they last saw them: each change compares
 * the mod revision and reads the object when it isn't the expected one. A thread per client.
 */
final class GuardedWriters implements AutoCloseable {
  /** One acknowledged change that was made at a revision, of an object last changed at another. */
  record Change(long revision, ByteString key, long expectedMod) {}

  private static final Duration LAST_ATTEMPT = Duration.ofSeconds(30);
  private static final int OBJECT_BYTES = 200;

  private final List<CompletableFuture<List<Change>>> clients = new ArrayList<>();
  private final String prefix;
  private final int objects;
  private volatile boolean stopped;

  private GuardedWriters(String prefix, int objects) {
    this.prefix = prefix;
    this.objects = objects;
  }

  /** Starts a client on each member. */
  static GuardedWriters start(String prefix, int objects, List<MemberClient> members) {
    GuardedWriters writers = new GuardedWriters(prefix, objects);
    for (int i = 0; i < members.size(); i++) {
      int client = i;
      CompletableFuture<List<Change>> changes = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () ->
                  changes.completeAsync(
                      () -> writers.run(client, members.get(client)), Runnable::run),
              "it-guarded-" + i);
      thread.setDaemon(true);
      thread.start();
      writers.clients.add(changes);
    }
    return writers;
  }

  /** The key of one object. */
  static ByteString key(String prefix, int object) {
    return ByteString.copyFromUtf8("%s%05d".formatted(prefix, object));
  }

  /** Changes an object last changed at {@code expectedMod} (0: there is none), or reads it. */
  static TxnRequest guarded(ByteString key, long expectedMod, RequestOp change) {
    return TxnRequest.newBuilder()
        .addCompare(
            Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setModRevision(expectedMod))
        .addSuccess(change)
        .addFailure(RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(key)))
        .build();
  }

  static RequestOp put(ByteString key, byte filler) {
    byte[] value = new byte[OBJECT_BYTES];
    Arrays.fill(value, filler);
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(ByteString.copyFrom(value)))
        .build();
  }

  private static RequestOp delete(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
        .build();
  }

  private List<Change> run(int client, MemberClient member) {
    Random random = new Random(client);
    Map<ByteString, Long> known = new HashMap<>();
    List<Change> changes = new ArrayList<>();
    while (!stopped) {
      ByteString key = key(prefix, random.nextInt(objects));
      if (!change(member, key, random, known, changes)) {
        change(member, key, random, known, changes);
      }
    }
    return changes;
  }

  /** Whether the object was as it was known; if not, its state is known now. */
  private static boolean change(
      MemberClient member,
      ByteString key,
      Random random,
      Map<ByteString, Long> known,
      List<Change> changes) {
    long expected = known.getOrDefault(key, 0L);
    boolean deletes = expected > 0 && random.nextInt(10) == 0;
    RequestOp change = deletes ? delete(key) : put(key, (byte) random.nextInt());
    TxnResponse answer = member.txn(guarded(key, expected, change)).answer();
    if (!answer.getSucceeded()) {
      var found = answer.getResponses(0).getResponseRange().getKvsList();
      known.put(key, found.isEmpty() ? 0 : found.get(0).getModRevision());
      return false;
    }
    long revision = answer.getHeader().getRevision();
    changes.add(new Change(revision, key, expected));
    known.put(key, deletes ? 0 : revision);
    return true;
  }

  /** Stops the clients; all their acknowledged changes. Fails when one of them was refused. */
  List<Change> stop() {
    stopped = true;
    List<Change> all = new ArrayList<>();
    for (CompletableFuture<List<Change>> client : clients) {
      client.orTimeout(Patience.stretch(LAST_ATTEMPT).toMillis(), TimeUnit.MILLISECONDS);
      all.addAll(client.join());
    }
    return all;
  }

  @Override
  public void close() {
    stopped = true;
  }
}
