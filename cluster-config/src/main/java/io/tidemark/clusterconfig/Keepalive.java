package io.tidemark.clusterconfig;

import java.time.Duration;

/**
 * HTTP/2 pings on client connections. Zero switches the respective rule off.
 *
 * @param minTime clients that ping more often than this are sent away
 * @param interval pause after which the server pings an idle client
 * @param timeout time a client has to answer such a ping
 */
public record Keepalive(Duration minTime, Duration interval, Duration timeout) {}
