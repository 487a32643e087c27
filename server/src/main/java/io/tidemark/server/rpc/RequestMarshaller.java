package io.tidemark.server.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Takes a request over as bytes. An oversize one becomes a {@link Request} that says so, since an
 * exception thrown here would reach the client as an unknown error.
 */
final class RequestMarshaller implements MethodDescriptor.Marshaller<Request> {
  private final int bytesMax;

  RequestMarshaller(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public InputStream stream(Request request) {
    return request.bytes().newInput();
  }

  @Override
  public Request parse(InputStream stream) {
    try {
      if (stream instanceof KnownLength) {
        int size = stream.available();
        return size > bytesMax ? oversize(size) : request(exactly(size, stream));
      }
      byte[] bytes = stream.readNBytes(bytesMax + 1);
      return bytes.length > bytesMax ? oversize(bytes.length) : request(bytes);
    } catch (StatusRuntimeException unpackedTooLarge) {
      return oversize(bytesMax + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code readNBytes(size)} would gather pieces of 16 kB first and copy them together. */
  private static byte[] exactly(int size, InputStream stream) throws IOException {
    byte[] bytes = new byte[size];
    if (stream.readNBytes(bytes, 0, size) != size) {
      throw new EOFException("a message shorter than its transport said");
    }
    return bytes;
  }

  private static Request request(byte[] bytes) {
    // Nobody else holds the array.
    return new Request(UnsafeByteOperations.unsafeWrap(bytes), 0);
  }

  private static Request oversize(int size) {
    return new Request(ByteString.EMPTY, size);
  }
}
