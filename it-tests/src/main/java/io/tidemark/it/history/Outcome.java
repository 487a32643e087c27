package io.tidemark.it.history;

import io.tidemark.api.mvccpb.KeyValue;
import java.util.Optional;

/** What became of one attempt, as far as its client knows. */
public sealed interface Outcome {
  <R> R on(Cases<R> cases);

  /**
   * An answer.
   *
   * @param revision the answer's header revision
   * @param changed whether it says that the store was changed
   * @param found the pair it shows: the previous one of a put or delete that changed something, the
   *     current one of a read or of a swap that failed
   */
  record Done(long revision, boolean changed, Optional<KeyValue> found) implements Outcome {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.done(this);
    }
  }

  /** An error that promises that nothing was changed. */
  record Rejected(String error) implements Outcome {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.rejected(this);
    }
  }

  /** An error that promises nothing. */
  record Unknown(String error) implements Outcome {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.unknown(this);
    }
  }

  /** The answer, if there was one. */
  default Optional<Done> done() {
    return on(
        new Cases<>() {
          @Override
          public Optional<Done> done(Done done) {
            return Optional.of(done);
          }

          @Override
          public Optional<Done> rejected(Rejected rejected) {
            return Optional.empty();
          }

          @Override
          public Optional<Done> unknown(Unknown unknown) {
            return Optional.empty();
          }
        });
  }

  /** Whether it promises that nothing was changed. */
  default boolean isRejected() {
    return on(
        new Cases<>() {
          @Override
          public Boolean done(Done done) {
            return false;
          }

          @Override
          public Boolean rejected(Rejected rejected) {
            return true;
          }

          @Override
          public Boolean unknown(Unknown unknown) {
            return false;
          }
        });
  }

  /** One method per kind of outcome. */
  interface Cases<R> {
    R done(Done done);

    R rejected(Rejected rejected);

    R unknown(Unknown unknown);
  }
}
