/**
 * The rules that keep modules apart, as tests over the compiled classes.
 *
 * <p>Lives here: what ARCHITECTURE.md and CONTRIBUTING.md promise and bytecode can show. Must not
 * live here: checks of behaviour. Nothing depends on this package.
 */
@NullMarked
package io.tidemark.it.architecture;

import org.jspecify.annotations.NullMarked;
