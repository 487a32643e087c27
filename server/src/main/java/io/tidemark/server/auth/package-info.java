/**
 * {@code etcdserverpb.Auth} and who a call comes from: passwords, tokens, certificates' names.
 *
 * <p>Passwords are hashed and checked on threads of their own, never on an event loop or the apply
 * thread. Rights are no business of this package: {@code access} asks the state machine for them.
 * Used by {@code Member}'s wiring only.
 */
@NullMarked
package io.tidemark.server.auth;

import org.jspecify.annotations.NullMarked;
