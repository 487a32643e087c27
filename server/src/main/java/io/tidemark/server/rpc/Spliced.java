package io.tidemark.server.rpc;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A serialized message in pieces that are written one after the other. The pieces may be shared
 * with other messages; nothing is copied until they reach the transport's buffer.
 */
public final class Spliced {
  private final List<ByteString> pieces;
  private final int size;

  private Spliced(List<ByteString> pieces, int size) {
    this.pieces = pieces;
    this.size = size;
  }

  public static Spliced of(ByteString... pieces) {
    return of(List.of(pieces));
  }

  /** Takes the list as it is: the caller must not change it afterwards. */
  public static Spliced of(List<ByteString> pieces) {
    long size = 0;
    for (ByteString piece : pieces) {
      size += piece.size();
    }
    return new Spliced(pieces, Math.toIntExact(size));
  }

  /** The same message with a piece in front of it. */
  public Spliced after(ByteString piece) {
    List<ByteString> all = new ArrayList<>(pieces.size() + 1);
    all.add(piece);
    all.addAll(pieces);
    return of(all);
  }

  public int size() {
    return size;
  }

  /** All pieces as one; copies only what is needed. */
  public ByteString joined() {
    return ByteString.copyFrom(pieces);
  }

  void writeTo(OutputStream out) throws IOException {
    ByteOutput sink = new StreamOutput(out);
    for (ByteString piece : pieces) {
      UnsafeByteOperations.unsafeWriteTo(piece, sink);
    }
  }

  /** Lets a ByteString write its own array; its public writeTo copies it first. */
  private static final class StreamOutput extends ByteOutput {
    private final OutputStream out;

    StreamOutput(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(byte value) throws IOException {
      out.write(value);
    }

    @Override
    public void write(byte[] value, int offset, int length) throws IOException {
      out.write(value, offset, length);
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) throws IOException {
      out.write(value, offset, length);
    }

    @Override
    public void write(ByteBuffer value) throws IOException {
      byte[] copy = new byte[value.remaining()];
      value.get(copy);
      out.write(copy);
    }

    @Override
    public void writeLazy(ByteBuffer value) throws IOException {
      write(value);
    }
  }
}
