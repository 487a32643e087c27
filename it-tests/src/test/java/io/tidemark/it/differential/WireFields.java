package io.tidemark.it.differential;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The fields of a serialized message, one level deep, as they lie. */
record WireFields(List<Field> fields) {
  /**
   * One field.
   *
   * @param raw tag and content
   * @param content content alone, without the length of a message
   */
  record Field(int number, ByteString raw, ByteString content) {}

  WireFields {
    fields = List.copyOf(fields);
  }

  static WireFields of(ByteString message) {
    try {
      CodedInputStream in = message.newCodedInput();
      List<Field> fields = new ArrayList<>();
      while (!in.isAtEnd()) {
        int begin = in.getTotalBytesRead();
        int tag = in.readTag();
        boolean delimited = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
        int from = in.getTotalBytesRead();
        ByteString content = ByteString.EMPTY;
        if (delimited) {
          content = in.readBytes();
        } else {
          in.skipField(tag);
        }
        int end = in.getTotalBytesRead();
        fields.add(
            new Field(
                WireFormat.getTagFieldNumber(tag),
                message.substring(begin, end),
                delimited ? content : message.substring(from, end)));
      }
      return new WireFields(fields);
    } catch (IOException e) {
      throw new UncheckedIOException("not a message", e);
    }
  }
}
