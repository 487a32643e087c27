package io.tidemark.statemachine;

import java.util.List;

/**
 * One decoded log entry.
 *
 * @param id the batch it carries
 * @param commands in the order in which they are applied
 */
public record Entry(BatchId id, List<Command> commands) {
  public Entry {
    commands = List.copyOf(commands);
  }
}
