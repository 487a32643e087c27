/**
 * Clusters inside one JVM for anybody's tests: a builder and a JUnit 5 extension, without
 * containers.
 *
 * <p>Must not hold test cases or checks of ours; those live in {@code it-tests}. Depends on {@code
 * server}. A cluster belongs to the test that built it and is closed by it.
 */
@NullMarked
package io.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
