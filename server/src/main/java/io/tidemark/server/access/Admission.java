package io.tidemark.server.access;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.auth.Caller;
import org.jspecify.annotations.Nullable;

/**
 * What the guard said about a call.
 *
 * @param state the users and roles it looked at
 * @param refusal why the call may not go on, or null
 */
public record Admission(AuthState state, Caller caller, @Nullable EtcdError refusal) {}
