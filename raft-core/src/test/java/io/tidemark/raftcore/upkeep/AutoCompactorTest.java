package io.tidemark.raftcore.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.propose.WriteTimes;
import io.tidemark.raftcore.settings.UpkeepSettings;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a schedule asks for goes into the log once, and again if it failed. */
class AutoCompactorTest {
  private final List<ByteString> proposed = new ArrayList<>();
  private CompletableFuture<ProposalResult> answer = new CompletableFuture<>();
  private long revision = 110;
  private boolean leads = true;
  private final AutoCompactor compactor =
      new AutoCompactor(
          "m",
          CompactionSchedule.of(UpkeepSettings.NONE.keeping(100), 0, 1).orElseThrow(),
          new AutoCompactor.Ways(
              () -> 0, () -> revision, () -> leads, this::propose, Runnable::run));

  private CompletableFuture<ProposalResult> propose(ByteString command) {
    proposed.add(command);
    answer = new CompletableFuture<>();
    return answer;
  }

  private static ByteString compaction(long revision) {
    return new Command.AutoCompact(CompactionRequest.newBuilder().setRevision(revision).build())
        .encoded();
  }

  private static ProposalResult applied(Outcome outcome) {
    return new ProposalResult.Applied(outcome, new WriteTimes(0, 0, 0));
  }

  @Test
  void oneAtATime() {
    compactor.tick();
    compactor.tick();
    assertEquals(List.of(compaction(10)), proposed);
    answer.complete(applied(new Outcome.Done(ByteString.EMPTY, revision)));
    compactor.tick();
    assertEquals(List.of(compaction(10)), proposed);
    revision = 120;
    compactor.tick();
    assertEquals(List.of(compaction(10), compaction(20)), proposed);
  }

  @Test
  void againAfterAnythingButSuccess() {
    compactor.tick();
    answer.complete(new ProposalResult.Unknown(EtcdError.TIMEOUT));
    compactor.tick();
    answer.complete(new ProposalResult.NotStarted(EtcdError.TOO_MANY_REQUESTS));
    compactor.tick();
    answer.complete(applied(new Outcome.Rejected(EtcdError.CORRUPT)));
    compactor.tick();
    answer.complete(applied(new Outcome.Rejected(EtcdError.COMPACTED)));
    compactor.tick();
    ByteString ten = compaction(10);
    assertEquals(List.of(ten, ten, ten, ten), proposed, "compacted already is as good as done");
  }

  @Test
  void onlyWhoLeads() {
    leads = false;
    compactor.tick();
    assertEquals(List.of(), proposed);
  }
}
