package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a log entry. Layout, big-endian, all of it described in {@code docs/format.md}:
 *
 * <pre>
 * version 1 | member id 8 | incarnation 8 | sequence 8 | count 4 | count x (kind 1 | length 4 | message)
 * </pre>
 *
 * <p>Reading is strict. A version, kind or length that this class would not have written, or a byte
 * too many, is an {@link EntryFormatException}: guessing would let members differ.
 */
public final class EntryCodec {
  /** The version that this class writes, and the only one it reads. */
  static final byte VERSION = 1;

  private static final int HEADER_BYTES = 1 + 3 * Long.BYTES + Integer.BYTES;

  private EntryCodec() {}

  /** Bytes that an entry needs beside its encoded commands. */
  public static int overheadBytes() {
    return HEADER_BYTES;
  }

  /**
   * Joins commands into one entry.
   *
   * @param encodedCommands each from {@link Command#encoded()}, in the order of application
   */
  public static ByteString encode(BatchId id, List<ByteString> encodedCommands) {
    int size = HEADER_BYTES;
    for (ByteString command : encodedCommands) {
      size = Math.addExact(size, command.size());
    }
    byte[] bytes = new byte[size];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.put(VERSION);
    out.putLong(id.memberId()).putLong(id.incarnation()).putLong(id.sequence());
    out.putInt(encodedCommands.size());
    for (ByteString command : encodedCommands) {
      command.copyTo(out);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /**
   * Reads a whole entry.
   *
   * @throws EntryFormatException if it is not exactly what {@link #encode} writes
   */
  public static Entry decode(ByteString entry) {
    ByteBuffer in = header(entry);
    BatchId id = readId(in);
    int count = in.getInt();
    // A damaged count must not be trusted with an allocation.
    if (count < 0 || count > in.remaining() / CommandCodec.HEADER_BYTES) {
      throw new EntryFormatException("entry announces " + count + " commands");
    }
    List<Command> commands = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (in.remaining() < CommandCodec.HEADER_BYTES) {
        throw new EntryFormatException("entry ends before command " + i);
      }
      byte kind = in.get();
      int length = in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw new EntryFormatException("command " + i + " announces " + length + " bytes");
      }
      int start = in.position();
      commands.add(CommandCodec.decode(kind, entry.substring(start, start + length)));
      in.position(start + length);
    }
    if (in.hasRemaining()) {
      throw new EntryFormatException(in.remaining() + " bytes after the last command");
    }
    return new Entry(id, commands);
  }

  /**
   * Reads only the batch id, without looking at the commands.
   *
   * @throws EntryFormatException if the header is not one of this version
   */
  public static BatchId peekId(ByteString entry) {
    return readId(header(entry));
  }

  private static ByteBuffer header(ByteString entry) {
    ByteBuffer in = entry.asReadOnlyByteBuffer();
    if (in.remaining() < HEADER_BYTES) {
      throw new EntryFormatException("entry of only " + in.remaining() + " bytes");
    }
    byte version = in.get();
    if (version != VERSION) {
      throw new EntryFormatException(
          "entry format version " + Byte.toUnsignedInt(version) + ", this build reads " + VERSION);
    }
    return in;
  }

  private static BatchId readId(ByteBuffer in) {
    return new BatchId(in.getLong(), in.getLong(), in.getLong());
  }
}
