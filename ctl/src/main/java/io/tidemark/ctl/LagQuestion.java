package io.tidemark.ctl;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks a member for what etcd's Status does not tell: {@code GET /tidemark/status}. Members that do
 * not know the path, and etcd itself, give no lag.
 */
final class LagQuestion {
  private final GlobalOptions options;

  LagQuestion(GlobalOptions options) {
    this.options = options;
  }

  EndpointStatus.@Nullable Lag ask(Endpoint endpoint) {
    Duration limit = GoText.parseDuration("--command-timeout", options.commandTimeout);
    String page = new MemberPage(options).get(endpoint, "/tidemark/status", limit);
    try {
      return page == null ? null : parse(page);
    } catch (IOException notOurs) {
      return null;
    }
  }

  static EndpointStatus.@Nullable Lag parse(String json) throws IOException {
    Struct.Builder answer = Struct.newBuilder();
    JsonFormat.parser().merge(json, answer);
    Long heard = number(answer, "leaderCommitHeard");
    Long applied = number(answer, "appliedIndex");
    Long age = number(answer, "leaderCommitAgeMillis");
    Long appliedRevision = number(answer, "appliedRevision");
    Long dispatchedRevision = number(answer, "dispatchedRevision");
    return heard == null
            || applied == null
            || age == null
            || appliedRevision == null
            || dispatchedRevision == null
        ? null
        : new EndpointStatus.Lag(
            appliedRevision, dispatchedRevision, heard, Math.max(0, heard - applied), age);
  }

  private static @Nullable Long number(Struct.Builder answer, String name) {
    Value value = answer.getFieldsOrDefault(name, Value.getDefaultInstance());
    return switch (value.getKindCase()) {
      case NUMBER_VALUE -> Long.valueOf((long) value.getNumberValue());
      case STRING_VALUE ->
          value.getStringValue().matches("-?\\d{1,18}")
              ? Long.valueOf(value.getStringValue())
              : null;
      default -> null;
    };
  }
}
