package io.tidemark.ctl.compare;

/**
 * A program that can be a member and takes etcd's flags.
 *
 * @param name in results and directories
 * @param program path or name of the executable
 */
record Contender(String name, String program) {
  static final String ETCD = "etcd";
  static final String TIDEMARK = "tidemark";
}
