/** What the metrics page says, read as Prometheus reads it. */
@NullMarked
package io.tidemark.server.metrics;

import org.jspecify.annotations.NullMarked;
