/**
 * Prometheus's text format over a dropwizard registry. A name in the registry may carry labels in
 * braces; such names are written as they are.
 *
 * <p>No figures of any service. Used by whatever counts, and by the metrics page.
 */
@NullMarked
package io.tidemark.server.metrics;

import org.jspecify.annotations.NullMarked;
