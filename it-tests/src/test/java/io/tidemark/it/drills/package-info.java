/** What a person does by hand: run a cluster with the scripts, bring back a lost one. */
@NullMarked
package io.tidemark.it.drills;

import org.jspecify.annotations.NullMarked;
