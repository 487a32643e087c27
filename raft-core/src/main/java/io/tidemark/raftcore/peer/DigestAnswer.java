package io.tidemark.raftcore.peer;

import java.nio.ByteBuffer;

/** What a member answers to a {@link DigestQuestion}: one byte, and four more if it is a hash. */
public sealed interface DigestAnswer {
  /** One method per kind. */
  interface Cases<R> {
    R hash(Hash hash);

    R later(Later later);

    R never(Never never);
  }

  /** Calls the method for this kind. */
  <R> R on(Cases<R> cases);

  /** The hash. */
  record Hash(int hash) implements DigestAnswer {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.hash(this);
    }
  }

  /**
   * Ask again.
   *
   * @param working whether the member is hashing; if not, it hasn't applied that much yet
   */
  record Later(boolean working) implements DigestAnswer {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.later(this);
    }
  }

  /** This member has another compact revision, or doesn't know this question. */
  record Never() implements DigestAnswer {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.never(this);
    }
  }

  /** The bytes on the wire. */
  default byte[] encode() {
    return on(
        new Cases<>() {
          @Override
          public byte[] hash(Hash hash) {
            return ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 0).putInt(hash.hash()).array();
          }

          @Override
          public byte[] later(Later later) {
            return new byte[] {(byte) (later.working() ? 1 : 2)};
          }

          @Override
          public byte[] never(Never never) {
            return new byte[] {3};
          }
        });
  }

  /** Reads an answer; what this version doesn't know is no hash. */
  static DigestAnswer decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int kind = bytes.length == 0 ? -1 : in.get();
    if (kind == 0 && bytes.length == 1 + Integer.BYTES) {
      return new Hash(in.getInt());
    }
    return kind == 1 || kind == 2 ? new Later(kind == 1) : new Never();
  }
}
