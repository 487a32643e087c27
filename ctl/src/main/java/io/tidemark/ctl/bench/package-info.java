/**
 * The load tool: closed-loop and paced loads against any endpoint that speaks the etcd v3 API.
 *
 * <p>Lives here: loads, the cheap raw client under them, and their reports. Must not live here:
 * anything that starts or stops servers, or that knows which server it is talking to. {@code
 * io.tidemark.ctl} and {@code io.tidemark.ctl.compare} depend on it. Callers are driven by the
 * network event loops; the thread that runs a load waits and samples once a second.
 */
@NullMarked
package io.tidemark.ctl.bench;

import org.jspecify.annotations.NullMarked;
