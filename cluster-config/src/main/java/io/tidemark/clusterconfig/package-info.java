/**
 * How a member learns what it is to be: flags, {@code ETCD_*} environment and a YAML file become
 * one validated configuration, or the list of <em>all</em> problems found.
 *
 * <p>Lives here: the configuration records, their parsing and checking, member and cluster ids.
 * Must not live here: anything that opens a socket, a file of the data directory or a store. {@code
 * raft-core} and {@code server} depend on it; it depends on no module of ours. Runs on the start-up
 * thread; its results are immutable.
 */
@NullMarked
package io.tidemark.clusterconfig;

import org.jspecify.annotations.NullMarked;
