/**
 * A headless browser that tests drive: one process, pages in it, spoken to over its debugging
 * protocol with what the JDK has.
 *
 * <p>Knows nothing of members. Calls block; a page belongs to one thread.
 */
@NullMarked
package io.tidemark.it.browser;

import org.jspecify.annotations.NullMarked;
