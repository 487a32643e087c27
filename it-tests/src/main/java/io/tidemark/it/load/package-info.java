/**
 * Clients that live through faults and write down what they were told: watches, locks, leases,
 * compactions. Those of keys are in {@code history}.
 *
 * <p>Each kind has threads of its own, is started once and stopped once; what it recorded is judged
 * afterwards by {@code verdict}. Used by tests.
 */
@NullMarked
package io.tidemark.it.load;

import org.jspecify.annotations.NullMarked;
