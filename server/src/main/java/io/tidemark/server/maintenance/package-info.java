/**
 * The Maintenance service: state and backups of this member.
 *
 * <p>Decides nothing that members have to agree on. {@code Member} is the only user. Callbacks run
 * on event loops and don't block; each backup has a thread {@code tidemark-<member>-backup}.
 */
@NullMarked
package io.tidemark.server.maintenance;

import org.jspecify.annotations.NullMarked;
