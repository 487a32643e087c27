package io.tidemark.raftcore.upkeep;

import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One question to all members, put again and again to those that are still at it. Who doesn't
 * answer, or is behind, is given up once nobody is at work any more and some further looks have
 * brought nothing. Thread: the one of its ways.
 */
final class Round {
  /** Looks without anybody at work after which the rest is given up. */
  private static final int PATIENCE = 5;

  private final DigestQuestion question;
  private final List<Long> members;
  private final DigestWays ways;
  private final BooleanSupplier goOn;
  private final Map<Long, Optional<Integer>> answers = new TreeMap<>();
  private final CompletableFuture<Map<Long, Integer>> hashes = new CompletableFuture<>();
  private int idle;

  private Round(
      DigestQuestion question, List<Long> members, DigestWays ways, BooleanSupplier goOn) {
    this.question = question;
    this.members = members;
    this.ways = ways;
    this.goOn = goOn;
  }

  /**
   * Asks until all has been said, or until it mustn't go on.
   *
   * @return the hash of each member that gave one; completes on the thread of its ways, empty if
   *     the round was broken off
   */
  static CompletableFuture<Map<Long, Integer>> ask(
      DigestQuestion question, List<Long> members, DigestWays ways, BooleanSupplier goOn) {
    Round round = new Round(question, members, ways, goOn);
    round.look();
    return round.hashes;
  }

  private void look() {
    if (!goOn.getAsBoolean()) {
      hashes.complete(Map.of());
      return;
    }
    List<Long> asked = members.stream().filter(id -> !answers.containsKey(id)).toList();
    List<CompletableFuture<Boolean>> works = new ArrayList<>();
    for (long id : asked) {
      works.add(
          ways.ask(id, question)
              .handleAsync(
                  (answer, failure) -> failure == null && note(id, answer), ways.thread()));
    }
    var unused =
        CompletableFuture.allOf(works.toArray(CompletableFuture<?>[]::new))
            .thenRunAsync(() -> looked(works), ways.thread());
  }

  private void looked(List<CompletableFuture<Boolean>> works) {
    idle = works.stream().anyMatch(CompletableFuture::join) ? 0 : idle + 1;
    if (answers.size() == members.size() || idle > PATIENCE) {
      Map<Long, Integer> given = new TreeMap<>();
      answers.forEach((id, hash) -> hash.ifPresent(value -> given.put(id, value)));
      hashes.complete(given);
    } else {
      ways.later(this::look);
    }
  }

  /** Takes note of an answer; true if the member is at work. */
  private boolean note(long id, DigestAnswer answer) {
    return answer.on(
        new DigestAnswer.Cases<>() {
          @Override
          public Boolean hash(DigestAnswer.Hash hash) {
            answers.put(id, Optional.of(hash.hash()));
            return false;
          }

          @Override
          public Boolean later(DigestAnswer.Later later) {
            return later.working();
          }

          @Override
          public Boolean never(DigestAnswer.Never never) {
            answers.put(id, Optional.empty());
            return false;
          }
        });
  }
}
