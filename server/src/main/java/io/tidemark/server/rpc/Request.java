package io.tidemark.server.rpc;

import com.google.protobuf.ByteString;

/**
 * A request message as it came.
 *
 * @param bytes the serialized message; empty when it was too large
 * @param oversizeBytes its size when it was over the limit, else 0
 */
public record Request(ByteString bytes, int oversizeBytes) {
  /** A request that did not come over the wire. */
  public static Request of(ByteString bytes, int bytesMax) {
    return bytes.size() > bytesMax
        ? new Request(ByteString.EMPTY, bytes.size())
        : new Request(bytes, 0);
  }

  boolean isOversize() {
    return oversizeBytes > 0;
  }
}
