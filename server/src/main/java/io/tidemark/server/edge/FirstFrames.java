package io.tidemark.server.edge;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;

/** Judges what a connection speaks from the bytes it has sent so far. Reads, never consumes. */
final class FirstFrames {
  enum Verdict {
    UNDECIDED,
    HTTP1,
    HTTP2,
    GRPC
  }

  private static final byte[] PREFACE_START = {'P', 'R', 'I'};
  private static final int PREFACE_BYTES = 24;
  private static final int FRAME_HEADER_BYTES = 9;
  private static final int UNDECIDED_BYTES_MAX = 64 * 1024;

  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;

  private FirstFrames() {}

  static boolean startsHttp2(ByteBuf in) {
    if (in.readableBytes() < PREFACE_START.length) {
      return false;
    }
    for (int i = 0; i < PREFACE_START.length; i++) {
      if (in.getByte(in.readerIndex() + i) != PREFACE_START[i]) {
        return false;
      }
    }
    return true;
  }

  static Verdict judge(ByteBuf in) {
    if (in.readableBytes() < PREFACE_START.length) {
      return Verdict.UNDECIDED;
    }
    if (!startsHttp2(in)) {
      return Verdict.HTTP1;
    }
    if (in.readableBytes() > UNDECIDED_BYTES_MAX) {
      return Verdict.GRPC;
    }
    int at = in.readerIndex() + PREFACE_BYTES;
    while (at + FRAME_HEADER_BYTES <= in.writerIndex()) {
      int length = in.getUnsignedMedium(at);
      int type = in.getUnsignedByte(at + 3);
      if (type == Http2FrameTypes.PING) {
        return Verdict.GRPC;
      }
      if (at + FRAME_HEADER_BYTES + length > in.writerIndex()) {
        return Verdict.UNDECIDED;
      }
      if (type == Http2FrameTypes.HEADERS) {
        return request(in, at + FRAME_HEADER_BYTES, length, in.getUnsignedByte(at + 4));
      }
      at += FRAME_HEADER_BYTES + length;
    }
    return Verdict.UNDECIDED;
  }

  /** The header table is still empty at the first HEADERS frame, so a fresh decoder reads it. */
  private static Verdict request(ByteBuf in, int at, int length, int flags) {
    int start = at;
    int end = at + length;
    if ((flags & PADDED) != 0) {
      end -= in.getUnsignedByte(start);
      start++;
    }
    if ((flags & PRIORITY) != 0) {
      start += PRIORITY_BYTES;
    }
    if ((flags & END_HEADERS) == 0 || end < start) {
      return Verdict.GRPC;
    }
    try {
      CharSequence type =
          new DefaultHttp2HeadersDecoder(false)
              .decodeHeaders(1, in.slice(start, end - start))
              .get(HttpHeaderNames.CONTENT_TYPE);
      return type != null && type.toString().startsWith("application/grpc")
          ? Verdict.GRPC
          : Verdict.HTTP2;
    } catch (Http2Exception broken) {
      return Verdict.GRPC;
    }
  }
}
