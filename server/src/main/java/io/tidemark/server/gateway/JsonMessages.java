package io.tidemark.server.gateway;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Messages as JSON and back, in protobuf's mapping with the names of the .proto files: bytes in
 * base64, 64-bit numbers as decimal strings, enums by name, fields without a value left out. Input
 * takes camel case too, enums by number, and passes over fields that it doesn't know. Stateless.
 */
final class JsonMessages {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().preservingProtoFieldNames().omittingInsignificantWhitespace();
  private static final JsonFormat.Parser STRICT = JsonFormat.parser();

  private JsonMessages() {}

  /** A text in quotes. */
  static String quoted(String text) {
    return new JsonPrimitive(text).toString();
  }

  /** The message as JSON between two pieces of ASCII text. */
  static ByteString write(String before, Message message, String after) {
    ByteString.Output out =
        ByteString.newOutput(Math.max(256, message.getSerializedSize() * 3 / 2));
    try (Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
      writer.write(before);
      PRINTER.appendTo(message, writer);
      writer.write(after);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteString();
  }

  /**
   * Reads a message.
   *
   * @param empty a message of the kind
   */
  static Message read(String json, Message empty) throws BadRequestException {
    Message.Builder message = empty.newBuilderForType();
    try {
      STRICT.merge(json, message);
      return message.build();
    } catch (InvalidProtocolBufferException unknownFieldOrWorse) {
      return readKnown(json, empty);
    }
  }

  /**
   * Once more, without the fields that aren't known. The parser could leave them out by itself, but
   * would then pass over unknown names of enums as well, and such a request would mean another.
   */
  private static Message readKnown(String json, Message empty) throws BadRequestException {
    Message.Builder message = empty.newBuilderForType();
    try {
      JsonElement tree = JsonParser.parseString(json);
      dropUnknown(tree, empty.getDescriptorForType());
      STRICT.merge(tree.toString(), message);
      return message.build();
    } catch (JsonParseException | InvalidProtocolBufferException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private static void dropUnknown(JsonElement tree, Descriptor type) {
    if (!(tree instanceof JsonObject object)) {
      return;
    }
    Map<String, FieldDescriptor> known = new HashMap<>();
    for (FieldDescriptor field : type.getFields()) {
      known.put(field.getName(), field);
      known.put(field.getJsonName(), field);
    }
    object.keySet().retainAll(known.keySet());
    object
        .entrySet()
        .forEach(
            entry -> {
              FieldDescriptor field = known.get(entry.getKey());
              if (field != null && field.getJavaType() == JavaType.MESSAGE) {
                dropUnknownBelow(entry.getValue(), field.getMessageType());
              }
            });
  }

  private static void dropUnknownBelow(JsonElement value, Descriptor type) {
    if (value instanceof JsonArray array) {
      array.forEach(element -> dropUnknown(element, type));
    } else {
      dropUnknown(value, type);
    }
  }
}
