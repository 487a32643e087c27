package io.tidemark.server.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Hands a reply to the transport, which copies it once into its buffers. */
final class SplicedMarshaller implements MethodDescriptor.Marshaller<Spliced> {
  @Override
  public InputStream stream(Spliced message) {
    return new Pieces(message);
  }

  @Override
  public Spliced parse(InputStream stream) {
    try {
      return Spliced.of(ByteString.readFrom(stream));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** grpc-java drains it; reading byte by byte happens only under compression. */
  private static final class Pieces extends InputStream implements KnownLength, Drainable {
    private @Nullable Spliced message;
    private @Nullable InputStream rest;

    Pieces(Spliced message) {
      this.message = message;
    }

    @Override
    public int available() throws IOException {
      return message != null ? message.size() : rest == null ? 0 : rest.available();
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      if (message == null) {
        return rest == null ? 0 : Math.toIntExact(rest.transferTo(target));
      }
      int size = message.size();
      message.writeTo(target);
      message = null;
      return size;
    }

    @Override
    public int read() throws IOException {
      return open().read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return open().read(target, offset, length);
    }

    private InputStream open() throws IOException {
      if (rest == null) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        drainTo(all);
        rest = new ByteArrayInputStream(all.toByteArray());
      }
      return rest;
    }
  }
}
