/**
 * Who may do what: users, roles and tokens on real clusters, beside etcd where that is installed.
 */
@NullMarked
package io.tidemark.it.security;

import org.jspecify.annotations.NullMarked;
