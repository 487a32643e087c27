package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * Messages as Go's JSON encoder writes the structs generated from them: field names of the .proto
 * file, numbers as numbers, bytes in base64, enums by number, nothing for zero values, and a oneof
 * as an object of its own. Pure.
 */
final class GoJson {
  private GoJson() {}

  static String message(Message message) {
    StringBuilder json = new StringBuilder();
    append(json, message);
    return json.toString();
  }

  private static void append(StringBuilder json, Message message) {
    json.append('{');
    String separator = "";
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.getContainingOneof() != null || isZero(message, field)) {
        continue;
      }
      json.append(separator);
      name(json, field.getName());
      if (field.isRepeated()) {
        list(json, field, (List<?>) message.getField(field));
      } else {
        value(json, field, message.getField(field));
      }
      separator = ",";
    }
    for (OneofDescriptor oneof : message.getDescriptorForType().getOneofs()) {
      FieldDescriptor field = message.getOneofFieldDescriptor(oneof);
      json.append(separator);
      name(json, camel(oneof.getName()));
      if (field == null) {
        json.append("null");
      } else {
        json.append('{');
        name(json, camel(field.getName()));
        value(json, field, message.getField(field));
        json.append('}');
      }
      separator = ",";
    }
    json.append('}');
  }

  private static void list(StringBuilder json, FieldDescriptor field, List<?> values) {
    json.append('[');
    String separator = "";
    for (Object value : values) {
      json.append(separator);
      value(json, field, value);
      separator = ",";
    }
    json.append(']');
  }

  private static boolean isZero(Message message, FieldDescriptor field) {
    if (field.isRepeated()) {
      return message.getRepeatedFieldCount(field) == 0;
    }
    return !message.hasField(field);
  }

  private static void value(StringBuilder json, FieldDescriptor field, Object value) {
    switch (field.getType()) {
      case MESSAGE -> append(json, (Message) value);
      case BYTES ->
          string(json, Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
      case STRING -> string(json, (String) value);
      case ENUM -> json.append(((EnumValueDescriptor) value).getNumber());
      case UINT64, FIXED64 -> json.append(Long.toUnsignedString((Long) value));
      case UINT32, FIXED32 -> json.append(Integer.toUnsignedString((Integer) value));
      default -> json.append(value);
    }
  }

  private static void name(StringBuilder json, String name) {
    string(json, name);
    json.append(':');
  }

  /** A string in quotes; like Go's encoder it escapes what HTML would take for markup. */
  static void string(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
            json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    json.append('"');
  }

  static String string(String text) {
    StringBuilder json = new StringBuilder();
    string(json, text);
    return json.toString();
  }

  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_", -1)) {
      camel.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    return camel.toString();
  }
}
