/**
 * Tidemark beside etcd on one machine: starts three members of each, runs the same loads in
 * interleaved pairs, and reports ratios.
 *
 * <p>Lives here: local processes, the order of the runs, the arithmetic of pairs. Must not live
 * here: the loads themselves ({@code io.tidemark.ctl.bench}). Everything runs on the main thread;
 * only processes started here are ever signalled.
 */
@NullMarked
package io.tidemark.ctl.compare;

import org.jspecify.annotations.NullMarked;
