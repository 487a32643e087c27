package io.tidemark.raftcore.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which questions a member answers, with what its store says. */
@Timeout(60)
class DigestsTest {
  private static final DigestAnswer WORKING = new DigestAnswer.Later(true);
  private static final DigestAnswer BEHIND = new DigestAnswer.Later(false);

  @TempDir Path directory;

  private final List<RuntimeException> faults = new ArrayList<>();
  private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);
  private MvccStore store;
  private Digests digests;
  private long index;

  @BeforeEach
  void open() {
    store = MvccStore.open(directory, MvccLimits.defaults());
    digests = new Digests(store::view, thread, faults::add);
  }

  @AfterEach
  void close() throws InterruptedException {
    digests.close();
    thread.shutdown();
    assertTrue(thread.awaitTermination(30, TimeUnit.SECONDS));
    store.close();
    assertTrue(store.released().isDone(), "no view is left open");
    assertEquals(List.of(), faults);
  }

  private void put(String key) {
    try (EntryBatch batch = store.begin(1, ++index)) {
      batch.put(ByteString.copyFromUtf8(key), ByteString.copyFrom(new byte[1000]), 0);
      batch.finishCommand();
      batch.commit();
    }
  }

  private void compact(long revision) {
    try (EntryBatch batch = store.begin(1, ++index)) {
      batch.compact(revision);
      batch.finishCommand();
      batch.commit();
    }
  }

  private DigestAnswer whole(long revision) {
    try (ReadView view = store.view()) {
      return new DigestAnswer.Hash(view.digest(revision).hash());
    }
  }

  /** Asks until the hashing is done. */
  private DigestAnswer await(DigestQuestion question) {
    DigestAnswer answer = digests.ask(question);
    while (answer.equals(WORKING)) {
      Thread.onSpinWait();
      answer = digests.ask(question);
    }
    return answer;
  }

  @Test
  void aHashIsMadeInPiecesAndKept() {
    for (int i = 0; i < 3000; i++) {
      put("k" + i % 1000);
    }
    DigestQuestion question = new DigestQuestion(2000, -1);
    assertEquals(WORKING, digests.ask(question));
    put("later");
    assertEquals(whole(2000), await(question));
    compact(2500);
    assertEquals(digests.ask(question), await(question), "known for a while");
  }

  @Test
  void oneAfterTheOther() {
    for (int i = 0; i < 3000; i++) {
      put("k" + i);
    }
    assertEquals(WORKING, digests.ask(new DigestQuestion(3001, -1)));
    assertEquals(whole(7), await(new DigestQuestion(7, -1)), "later, not never");
  }

  @Test
  void onlyUnderTheSameCompactRevision() {
    put("a");
    put("a");
    put("b");
    compact(3);
    assertEquals(new DigestAnswer.Never(), digests.ask(new DigestQuestion(4, -1)));
    assertEquals(new DigestAnswer.Never(), digests.ask(new DigestQuestion(4, 2)));
    assertEquals(BEHIND, digests.ask(new DigestQuestion(4, 4)));
    assertEquals(BEHIND, digests.ask(new DigestQuestion(5, 3)));
    assertEquals(whole(4), await(new DigestQuestion(4, 3)));
  }

  @Test
  void nothingAfterClose() {
    put("a");
    digests.close();
    assertEquals(WORKING, digests.ask(new DigestQuestion(2, -1)));
  }
}
