/**
 * The same random requests to a cluster of ours and to a real etcd, answers compared byte by byte.
 *
 * <p>Lives here: what is asked, how answers are made comparable, and the list of differences that
 * are allowed, each with its place in docs/compatibility.md. One test thread owns everything.
 */
@NullMarked
package io.tidemark.it.differential;

import org.jspecify.annotations.NullMarked;
