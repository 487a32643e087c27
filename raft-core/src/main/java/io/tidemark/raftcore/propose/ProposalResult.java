package io.tidemark.raftcore.propose;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.statemachine.Outcome;

/** What became of a proposed command. */
public sealed interface ProposalResult {
  /** One method per kind. */
  interface Cases<R> {
    R applied(Applied applied);

    R notStarted(NotStarted notStarted);

    R unknown(Unknown unknown);
  }

  /** Calls the method for this kind. */
  <R> R on(Cases<R> cases);

  /**
   * The command was applied on this member.
   *
   * @param outcome possibly a rejection
   * @param times when its entry got from stage to stage
   */
  record Applied(Outcome outcome, WriteTimes times) implements ProposalResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.applied(this);
    }
  }

  /** The command never reached a log and never will; it may be sent again freely. */
  record NotStarted(EtcdError error) implements ProposalResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.notStarted(this);
    }
  }

  /** The command may or may not have been applied, or may be applied later. */
  record Unknown(EtcdError error) implements ProposalResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.unknown(this);
    }
  }
}
