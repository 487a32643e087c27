package io.tidemark.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.RaftStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StatusPageTest {
  @Test
  void namesTheLagAndHowOldTheNewsIs() {
    RaftStatus cutOff =
        new RaftStatus(0xabL, 0, 7, 90, 88, false, 95, Duration.ofSeconds(12), 41, 40, 1, 1);
    StatusPage page = new StatusPage(() -> cutOff);
    HttpAnswer answer =
        page.answer(
                new HttpQuestion(
                    "GET",
                    "/tidemark/status",
                    Map.of(),
                    Map.of(),
                    ByteString.EMPTY,
                    HttpCaller.nobody()))
            .toCompletableFuture()
            .join();
    assertEquals(200, answer.status());
    assertEquals(
        "{\"memberId\":\"ab\",\"leaderId\":\"0\",\"term\":\"7\",\"commitIndex\":\"90\","
            + "\"appliedIndex\":\"88\",\"appliedRevision\":\"41\",\"dispatchedRevision\":\"40\","
            + "\"leaderCommitHeard\":\"95\",\"leaderCommitAgeMillis\":\"12000\"}",
        answer.body().toStringUtf8());
  }
}
