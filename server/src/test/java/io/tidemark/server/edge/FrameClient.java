package io.tidemark.server.edge;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A client that writes HTTP/2 frames by hand. One thread at a time. */
final class FrameClient implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;

  /** Flag of PING and SETTINGS. */
  static final int ACK = 1;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int PATIENCE_MILLIS = 20_000;

  private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
  private final Socket socket;
  private final DataInputStream in;

  record Frame(int type, int flags, int stream, ByteString payload) {
    boolean isAnswerToPing() {
      return type == PING && flags == ACK;
    }
  }

  private FrameClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** Connects and says hello: preface and empty SETTINGS. */
  static FrameClient connect(ProbeServer server) throws Exception {
    FrameClient client = new FrameClient(server.connect("h2"));
    client.socket.getOutputStream().write(PREFACE);
    client.write(SETTINGS, 0, 0, new byte[0]);
    return client;
  }

  void write(int type, int flags, int stream, byte[] payload) throws IOException {
    socket.getOutputStream().write(frame(type, flags, stream, payload));
    socket.getOutputStream().flush();
  }

  void ping(long number) throws IOException {
    write(PING, 0, 0, bytes(number));
  }

  /** Several pings in one write. */
  void pings(int count) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(frame(PING, 0, 0, bytes(i)));
    }
    all.writeTo(socket.getOutputStream());
  }

  /** A gRPC call with an empty message on stream 1. */
  void call(String path) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    // :method POST, :scheme http, then :path, :authority, content-type and te as literals
    block.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86});
    literal(block, new byte[] {0x04}, path);
    literal(block, new byte[] {0x01}, "a");
    literal(block, new byte[] {0x0f, 0x10}, "application/grpc");
    literal(block, new byte[] {0x00, 2, 't', 'e'}, "trailers");
    write(HEADERS, END_HEADERS, 1, block.toByteArray());
    write(DATA, END_STREAM, 1, new byte[5]);
  }

  /** Opens a stream and leaves it open. */
  void open(int stream, Http2Headers headers) throws Exception {
    ByteBuf block = Unpooled.buffer();
    encoder.encodeHeaders(stream, headers, block);
    write(HEADERS, END_HEADERS, stream, ByteBufUtil.getBytes(block));
  }

  /** The fields of a HEADERS frame; all have to be read, in order. */
  Http2Headers fields(Frame frame) throws Exception {
    return decoder.decodeHeaders(
        frame.stream(), Unpooled.wrappedBuffer(frame.payload().toByteArray()));
  }

  Frame read() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    return new Frame(type, flags, stream, ByteString.copyFrom(payload));
  }

  /** Reads on to the first frame of the type. */
  Frame read(int type) throws IOException {
    Frame frame = read();
    while (frame.type() != type) {
      frame = read();
    }
    return frame;
  }

  /** Reads until the time has come, and says whether a GOAWAY was among what came. */
  boolean isSentAwayUntil(long nanoTime) throws IOException {
    try {
      while (true) {
        long left = TimeUnit.NANOSECONDS.toMillis(nanoTime - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        socket.setSoTimeout((int) left);
        if (read().type() == GOAWAY) {
          return true;
        }
      }
    } catch (SocketTimeoutException quiet) {
      return false;
    } finally {
      socket.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[7] = (byte) (stream >> 8);
    frame[8] = (byte) stream;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  private static byte[] bytes(long number) {
    return new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) number};
  }

  private static void literal(ByteArrayOutputStream block, byte[] name, String value) {
    block.writeBytes(name);
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }
}
