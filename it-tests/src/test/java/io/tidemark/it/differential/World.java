package io.tidemark.it.differential;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.util.List;
import java.util.Random;

/** What requests are made of, chosen near the edges of what the clusters hold now. */
final class World {
  static final ByteString OPEN_END = ByteString.copyFrom(new byte[1]);

  private static final List<ByteString> KEYS =
      List.of(
          bytes("\0"),
          bytes("a"),
          bytes("a\0"),
          bytes("a\1"),
          bytes("ab"),
          bytes("b"),
          bytes("c"),
          ByteString.copyFrom(new byte[] {(byte) 0xff}));
  private static final List<ByteString> VALUES =
      List.of(ByteString.EMPTY, bytes("0"), bytes("1"), bytes("long ".repeat(60)), bytes("\0"));

  /** Leases that are granted and revoked; nobody grants the last. */
  private static final long[] LEASES = {7, -8, Long.MAX_VALUE};

  private static final long NO_LEASE = 99;

  private final Random random;
  private long current = 1;
  private long compacted = -1;

  World(long seed) {
    this.random = new Random(seed);
  }

  /** Takes note of what both clusters answered. */
  void learn(Ask ask, Reply reply) {
    if (!reply.isOk() || reply.messages().isEmpty()) {
      return;
    }
    current = Math.max(current, revision(reply.messages().get(0)));
    if (ask.request() instanceof CompactionRequest compaction) {
      compacted = compaction.getRevision();
    }
  }

  private static long revision(ByteString answer) {
    try {
      for (WireFields.Field field : WireFields.of(answer).fields()) {
        if (field.number() == 1) {
          return ResponseHeader.parseFrom(field.content()).getRevision();
        }
      }
      return 0;
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("no header", e);
    }
  }

  long current() {
    return current;
  }

  long compacted() {
    return compacted;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** True so many times in a hundred. */
  boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  /** A key; once in a while none. */
  ByteString key() {
    return percent(1) ? ByteString.EMPTY : KEYS.get(random.nextInt(KEYS.size()));
  }

  ByteString value() {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  /** The end of a range that is not one key: open, a key, right behind one. */
  ByteString rangeEnd() {
    ByteString key = KEYS.get(random.nextInt(KEYS.size()));
    return switch (random.nextInt(4)) {
      case 0 -> OPEN_END;
      case 1 -> key.concat(OPEN_END);
      default -> key;
    };
  }

  long lease() {
    return LEASES[random.nextInt(LEASES.length)];
  }

  /** A lease, mostly one that may exist. */
  long anyLease() {
    return percent(8) ? NO_LEASE : lease();
  }

  /** Within three of the current or of the compact revision, or between, or absurd. */
  long revision() {
    return switch (random.nextInt(10)) {
      case 0, 1 -> compacted + near();
      case 2, 3 -> current + near();
      case 4 -> random.nextInt(20) == 0 ? Long.MAX_VALUE : -1 - random.nextInt(3);
      default -> readable();
    };
  }

  /** A revision that can be read. */
  long readable() {
    long oldest = Math.max(compacted, 1);
    return oldest + random.nextInt((int) Math.min(current - oldest, 1 << 20) + 1);
  }

  private int near() {
    return random.nextInt(7) - 3;
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
