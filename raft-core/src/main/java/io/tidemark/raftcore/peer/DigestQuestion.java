package io.tidemark.raftcore.peer;

import io.tidemark.mvcc.StoreDigest;
import java.util.Optional;

/**
 * One member asks another for the hash of its data. Version of the hash (8), revision (8), compact
 * revision (8).
 *
 * @param revision what was written up to here counts
 * @param compactRevision the compact revision that the hash has to be made under
 */
public record DigestQuestion(long revision, long compactRevision) {
  byte[] encode() {
    return Longs.toBytes(new long[] {StoreDigest.VERSION, revision, compactRevision});
  }

  /**
   * Reads a question; nothing if this version of ours can't answer it: another version hashes the
   * same to something else.
   */
  static Optional<DigestQuestion> decode(byte[] bytes) {
    long[] numbers = Longs.fromBytes(bytes);
    return numbers.length == 3 && numbers[0] == StoreDigest.VERSION
        ? Optional.of(new DigestQuestion(numbers[1], numbers[2]))
        : Optional.empty();
  }
}
