package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;

/** What became of one command; the same on every member. */
public sealed interface Outcome {

  /** Calls the one method of {@code cases} that belongs to this outcome. */
  <R> R on(Cases<R> cases);

  /** One method for each kind of outcome. */
  interface Cases<R> {
    R done(Done done);

    R rejected(Rejected rejected);
  }

  /**
   * The command was carried out.
   *
   * @param response the serialized response message of the command's RPC. Its header holds nothing
   *     but the revision; the member that answers appends its ids and the term. Empty for what
   *     members do of their own accord, but for {@link Command.RenewLeases}: the granted TTL of
   *     each lease in order, 8 bytes each, 0 for one that isn't there
   * @param revision the revision that the command made, or the current one if it changed nothing
   */
  record Done(ByteString response, long revision) implements Outcome {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.done(this);
    }
  }

  /** The command was refused and has changed nothing. */
  record Rejected(EtcdError error) implements Outcome {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.rejected(this);
    }
  }
}
