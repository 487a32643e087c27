/**
 * Membership: who belongs to the cluster, and which changes of that are allowed (contract section
 * 2.12).
 *
 * <p>Rows of the MEMBER table, and of REMOVED_MEMBER for ever after. Knows nothing of Raft's own
 * configuration, which follows this table. May be used by the rest of the state machine; {@code
 * MemberChange} and {@code ReconfigurationRules} by any module above. Threads: {@code MemberSteps}
 * belongs to the apply thread; the rest is immutable or pure.
 */
@NullMarked
package io.tidemark.statemachine.member;

import org.jspecify.annotations.NullMarked;
