package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of the outcomes of one batch, big-endian: count 4, then for each either 01, revision 8,
 * length 4, response; or 02, the error's number 1.
 */
final class OutcomeCodec {
  private static final byte DONE = 1;
  private static final byte REJECTED = 2;

  private OutcomeCodec() {}

  /** Bytes that {@link #write} takes. */
  static int size(List<Outcome> outcomes) {
    long size = Integer.BYTES;
    for (Outcome outcome : outcomes) {
      size += outcome.on(Size.CASES);
    }
    return (int) Math.min(Integer.MAX_VALUE, size);
  }

  static void write(List<Outcome> outcomes, ByteBuffer out) {
    out.putInt(outcomes.size());
    Write write = new Write(out);
    outcomes.forEach(outcome -> outcome.on(write));
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IllegalStateException if the store is damaged
   */
  static List<Outcome> read(ByteBuffer in) {
    int count = in.getInt();
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte kind = in.get();
      switch (kind) {
        case DONE -> outcomes.add(done(in));
        case REJECTED -> outcomes.add(new Outcome.Rejected(EtcdError.byId(in.get())));
        default -> throw new IllegalStateException("unknown kind of outcome: " + kind);
      }
    }
    return outcomes;
  }

  private static Outcome done(ByteBuffer in) {
    long revision = in.getLong();
    int length = in.getInt();
    ByteBuffer response = in.slice(in.position(), length);
    in.position(in.position() + length);
    return new Outcome.Done(ByteString.copyFrom(response), revision);
  }

  private enum Size implements Outcome.Cases<Integer> {
    CASES;

    @Override
    public Integer done(Outcome.Done done) {
      return 1 + Long.BYTES + Integer.BYTES + done.response().size();
    }

    @Override
    public Integer rejected(Outcome.Rejected rejected) {
      return 2;
    }
  }

  private record Write(ByteBuffer out) implements Outcome.Cases<ByteBuffer> {
    @Override
    public ByteBuffer done(Outcome.Done done) {
      out.put(DONE).putLong(done.revision()).putInt(done.response().size());
      return out.put(done.response().asReadOnlyByteBuffer());
    }

    @Override
    public ByteBuffer rejected(Outcome.Rejected rejected) {
      return out.put(REJECTED).put((byte) rejected.error().id());
    }
  }
}
