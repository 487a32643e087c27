/**
 * A cluster of member processes as one value: members, their clients and the links between them.
 *
 * <p>Says nothing about what a right answer is. Used by tests. One test thread drives a cluster.
 */
@NullMarked
package io.tidemark.it.rig;

import org.jspecify.annotations.NullMarked;
