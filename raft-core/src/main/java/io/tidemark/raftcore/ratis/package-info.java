/**
 * The adapter to Apache Ratis: its settings, its factory hook, its state machine, its server.
 *
 * <p>Everything that depends on how Ratis behaves inside lives here. Must not know client callers
 * or their deadlines. Used by the member and by the proposer and the read barrier through small
 * interfaces. Ratis calls the state machine on its updater thread (the apply thread) and the
 * appender hook on gRPC threads.
 */
@NullMarked
package io.tidemark.raftcore.ratis;

import org.jspecify.annotations.NullMarked;
