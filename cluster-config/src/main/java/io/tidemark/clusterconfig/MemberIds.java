package io.tidemark.clusterconfig;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Member and cluster ids: unsigned 64-bit numbers derived by SHA-1, so that all founders of a
 * cluster arrive at the same ids without talking. Pure.
 */
public final class MemberIds {
  private MemberIds() {}

  /**
   * The id of a member.
   *
   * @param peerUrls its advertised peer URLs, in any order
   * @param token the cluster token
   * @param unixSeconds the time of {@code member add}; empty for a founder
   */
  public static long memberId(List<URI> peerUrls, String token, OptionalLong unixSeconds) {
    StringBuilder text = new StringBuilder();
    peerUrls.stream().map(URI::toString).sorted().forEach(text::append);
    text.append(token);
    unixSeconds.ifPresent(text::append);
    return firstEightBytesOfSha1(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The id of the cluster that these members found. */
  public static long clusterId(Collection<Long> memberIds) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * memberIds.size());
    memberIds.stream().sorted(Long::compareUnsigned).forEach(bytes::putLong);
    return firstEightBytesOfSha1(bytes.array());
  }

  /** An id as logs and command-line tools print it: lower-case hex without leading zeros. */
  public static String hex(long id) {
    return Long.toHexString(id);
  }

  private static long firstEightBytesOfSha1(byte[] input) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-1").digest(input)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
