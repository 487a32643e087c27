/**
 * {@code etcdserverpb.Lease} over the member's replica.
 *
 * <p>Decides nothing about leases but their ids and the least time to live, which both go into the
 * command. Event loops and the replica's completion thread run it; nothing here blocks.
 */
@NullMarked
package io.tidemark.server.lease;

import org.jspecify.annotations.NullMarked;
