package io.tidemark.raftcore.peer;

import java.util.UUID;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/**
 * The calls between members, as raw bytes.
 *
 * <p>The service's name holds the version and the group, so that a stranger who happens to listen
 * on a peer address answers "unimplemented" and has done nothing.
 *
 * <ul>
 *   <li>{@code Forward}: an encoded entry; answered by one byte, see {@link SendResult#code}.
 *   <li>{@code ReadIndex}: nothing; answered by eight bytes, the index, or by nothing when the
 *       asked member doesn't lead.
 *   <li>{@code KeepAlive}: lease ids, eight bytes each; answered by the granted TTL of each, eight
 *       bytes, 0 for no lease, once the renewals are committed; or by nothing when the asked member
 *       couldn't, and then it may be asked again.
 *   <li>{@code Permit}: an entry with one change of the members, which isn't appended; answered by
 *       one byte, 0 or the number of the error that forbids it, or by nothing when the asked member
 *       doesn't lead.
 *   <li>{@code Digest}: see {@link DigestQuestion} and {@link DigestAnswer}.
 *   <li>{@code Figures}: nothing; answered by an encoded {@code tidemarkpb.MemberFigures}.
 * </ul>
 */
final class PeerCalls {
  private final String service;
  private final MethodDescriptor<byte[], byte[]> forward;
  private final MethodDescriptor<byte[], byte[]> readIndex;
  private final MethodDescriptor<byte[], byte[]> keepAlive;
  private final MethodDescriptor<byte[], byte[]> permit;
  private final MethodDescriptor<byte[], byte[]> digest;
  private final MethodDescriptor<byte[], byte[]> figures;

  PeerCalls(UUID group) {
    this.service = "tidemark.peer.v1." + group;
    this.forward = unary("Forward");
    this.readIndex = unary("ReadIndex");
    this.keepAlive = unary("KeepAlive");
    this.permit = unary("Permit");
    this.digest = unary("Digest");
    this.figures = unary("Figures");
  }

  String service() {
    return service;
  }

  MethodDescriptor<byte[], byte[]> forward() {
    return forward;
  }

  MethodDescriptor<byte[], byte[]> readIndex() {
    return readIndex;
  }

  MethodDescriptor<byte[], byte[]> keepAlive() {
    return keepAlive;
  }

  MethodDescriptor<byte[], byte[]> permit() {
    return permit;
  }

  MethodDescriptor<byte[], byte[]> digest() {
    return digest;
  }

  MethodDescriptor<byte[], byte[]> figures() {
    return figures;
  }

  private MethodDescriptor<byte[], byte[]> unary(String method) {
    return RawCalls.unary(service, method);
  }
}
