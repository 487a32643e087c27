package io.tidemark.it.security;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Spoils messages. What comes out depends on the random numbers and the message alone. */
final class Mutations {
  private static final int DEPTH_BITS_MAX = 13;
  private static final byte[] TELLING =
      "\0\u0001\n\u000f\u0012\"\u007f\u0080\u00ff{}[]\",:\\-09e.ntf "
          .getBytes(StandardCharsets.ISO_8859_1);

  private final Random random;

  Mutations(Random random) {
    this.random = random;
  }

  /** The message with up to four flaws; at times with none. */
  byte[] of(byte[] message) {
    byte[] spoilt = message;
    for (int flaws = random.nextInt(5); flaws > 0; flaws--) {
      spoilt = flawed(spoilt);
    }
    return spoilt;
  }

  byte[] noise() {
    byte[] noise = new byte[random.nextInt(200)];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] flawed(byte[] message) {
    int from = random.nextInt(message.length + 1);
    int to = from + random.nextInt(Math.min(message.length - from, 24) + 1);
    return switch (random.nextInt(6)) {
      case 0 -> flipped(message);
      case 1 -> spliced(message, from, to, new byte[0]);
      case 2 -> spliced(message, from, from, piece());
      case 3 -> spliced(message, to, to, copy(message, from, to));
      case 4 -> spliced(message, from, to, piece());
      default -> copy(message, 0, from);
    };
  }

  private byte[] flipped(byte[] message) {
    if (message.length == 0) {
      return message;
    }
    byte[] flipped = message.clone();
    flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    return flipped;
  }

  /** A few bytes, half of them of those that mean something to a parser. */
  private byte[] piece() {
    byte[] piece = new byte[1 + random.nextInt(6)];
    random.nextBytes(piece);
    for (int i = 0; i < piece.length; i++) {
      if (random.nextBoolean()) {
        piece[i] = TELLING[random.nextInt(TELLING.length)];
      }
    }
    return piece;
  }

  private static byte[] spliced(byte[] message, int from, int to, byte[] between) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(message, 0, from);
    out.writeBytes(between);
    out.write(message, to, message.length - to);
    return out.toByteArray();
  }

  private static byte[] copy(byte[] message, int from, int to) {
    return ByteString.copyFrom(message, from, to - from).toByteArray();
  }

  private int depth() {
    return random.nextInt(1 << random.nextInt(DEPTH_BITS_MAX + 1)) + 1;
  }

  /** A transaction in a transaction, and so on, to any depth. */
  byte[] nestedTxn() {
    ByteString txn = ByteString.EMPTY;
    for (int depth = Math.min(depth(), 400); depth > 0; depth--) {
      txn = field(0x12, field(0x22, txn)); // success, request_txn
    }
    return txn.toByteArray();
  }

  private static ByteString field(int tag, ByteString content) {
    ByteString.Output out = ByteString.newOutput();
    out.write(tag);
    int rest = content.size();
    while (rest >= 0x80) {
      out.write(rest | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
    return out.toByteString().concat(content);
  }

  /** JSON inside JSON, known or not, closed or not. */
  byte[] nestedJson() {
    int depth = depth();
    String[] pair =
        switch (random.nextInt(4)) {
          case 0 -> new String[] {"{\"success\":[{\"request_txn\":", "}]}"};
          case 1 -> new String[] {"[", "]"};
          case 2 -> new String[] {"{\"key\":", "}"};
          default -> new String[] {"{\"a\":", "}"};
        };
    String open = pair[0].repeat(depth) + "{}";
    String text = random.nextInt(4) == 0 ? open : open + pair[1].repeat(depth);
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
