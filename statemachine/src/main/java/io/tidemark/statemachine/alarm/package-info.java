/**
 * Alarms: which are raised, who raised them, and what they forbid.
 *
 * <p>Rows of the ALARM table, changed by commands only. Nothing here decides when to raise one: the
 * member that finds a reason proposes it. May be used by the rest of the state machine and, to look
 * at {@link io.tidemark.statemachine.alarm.Alarms}, by any module above. Threads: {@code
 * AlarmSteps} belongs to the apply thread; {@code Alarms} is immutable.
 */
@NullMarked
package io.tidemark.statemachine.alarm;

import org.jspecify.annotations.NullMarked;
