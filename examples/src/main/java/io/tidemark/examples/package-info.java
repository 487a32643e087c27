/**
 * Five things that people keep in such a store, each as small as it can be and still right: they go
 * on when members die, and do nothing twice that must be done once.
 *
 * <p>Written for jetcd against etcd's API; nothing here knows which product serves it.
 */
package io.tidemark.examples;
