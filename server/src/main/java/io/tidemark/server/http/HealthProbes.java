package io.tidemark.server.http;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The questions behind the health pages. Any thread; answers come later. Each answer is empty when
 * all is well, else what is wrong.
 */
public interface HealthProbes {
  /** Whether this member knows a leader right now. */
  boolean hasLeader();

  /** The types of the alarms that are raised, as etcd spells them. */
  List<String> alarms();

  /** Whether this member is not a learner. */
  boolean isVoter();

  /** A read of this member's own data. */
  CompletionStage<String> serializableRead();

  /** A read that needs a majority. */
  CompletionStage<String> linearizableRead();
}
