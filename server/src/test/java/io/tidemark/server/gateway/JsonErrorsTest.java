package io.tidemark.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.tidemark.server.http.HttpAnswer;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonErrorsTest {
  @Test
  void everyCodeHasTheHttpStatusOfGrpcGateway() {
    Map<Status.Code, Integer> expected =
        new EnumMap<>(
            Map.ofEntries(
                Map.entry(Status.Code.OK, 200),
                Map.entry(Status.Code.CANCELLED, 499),
                Map.entry(Status.Code.UNKNOWN, 500),
                Map.entry(Status.Code.INVALID_ARGUMENT, 400),
                Map.entry(Status.Code.DEADLINE_EXCEEDED, 504),
                Map.entry(Status.Code.NOT_FOUND, 404),
                Map.entry(Status.Code.ALREADY_EXISTS, 409),
                Map.entry(Status.Code.PERMISSION_DENIED, 403),
                Map.entry(Status.Code.UNAUTHENTICATED, 401),
                Map.entry(Status.Code.RESOURCE_EXHAUSTED, 429),
                Map.entry(Status.Code.FAILED_PRECONDITION, 400),
                Map.entry(Status.Code.ABORTED, 409),
                Map.entry(Status.Code.OUT_OF_RANGE, 400),
                Map.entry(Status.Code.UNIMPLEMENTED, 501),
                Map.entry(Status.Code.INTERNAL, 500),
                Map.entry(Status.Code.UNAVAILABLE, 503),
                Map.entry(Status.Code.DATA_LOSS, 500)));
    Map<Status.Code, Integer> actual = new EnumMap<>(Status.Code.class);
    for (Status.Code code : Status.Code.values()) {
      actual.put(code, JsonErrors.http(code));
    }
    assertEquals(expected, actual);
  }

  @Test
  void bothOldAndNewNamesAreThere() {
    HttpAnswer answer = JsonErrors.answer(Status.NOT_FOUND.withDescription("no \"x\"\n"));
    assertEquals(404, answer.status());
    assertEquals("application/json", answer.contentType());
    assertEquals(
        "{\"error\":\"no \\\"x\\\"\\n\",\"code\":5,\"message\":\"no \\\"x\\\"\\n\"}",
        answer.body().toStringUtf8());
    assertEquals(
        "{\"error\":{\"grpc_code\":14,\"http_code\":503,\"code\":14,\"message\":\"m\"}}\n",
        JsonErrors.line(Status.UNAVAILABLE.withDescription("m")));
  }
}
