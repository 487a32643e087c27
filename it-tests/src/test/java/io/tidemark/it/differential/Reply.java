package io.tidemark.it.differential;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.grpc.Status;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a call ended: with OK and messages, or with another status and what came before it.
 *
 * @param code the status
 * @param text its description; empty if there is none
 * @param messages the raw answers
 */
record Reply(Status.Code code, String text, List<ByteString> messages) {
  Reply {
    messages = List.copyOf(messages);
  }

  static Reply of(Status status, List<ByteString> messages) {
    String text = status.getDescription();
    return new Reply(status.getCode(), text == null ? "" : text, messages);
  }

  boolean isOk() {
    return code == Status.Code.OK;
  }

  Reply with(List<ByteString> others) {
    return new Reply(code, text, others);
  }

  /** For people: parsed where possible. */
  String shown(Call call) {
    String answers = messages.stream().map(raw -> parsed(call, raw)).collect(Collectors.joining());
    return code + " " + text + " {" + answers + "}";
  }

  private static String parsed(Call call, ByteString raw) {
    try {
      Message message = (Message) call.response().getParserForType().parseFrom(raw);
      return TextFormat.printer().shortDebugString(message);
    } catch (InvalidProtocolBufferException e) {
      return "unreadable " + TextFormat.escapeBytes(raw);
    }
  }
}
