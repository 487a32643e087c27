package io.tidemark.mvcc;

/** Inclusive filters on a key's revisions; a bound of 0 is unset. */
public record RevisionBounds(long minMod, long maxMod, long minCreate, long maxCreate) {
  public static final RevisionBounds NONE = new RevisionBounds(0, 0, 0, 0);

  public boolean isUnset() {
    return minMod == 0 && maxMod == 0 && minCreate == 0 && maxCreate == 0;
  }

  boolean admit(long mod, long create) {
    return (minMod == 0 || mod >= minMod)
        && (maxMod == 0 || mod <= maxMod)
        && (minCreate == 0 || create >= minCreate)
        && (maxCreate == 0 || create <= maxCreate);
  }
}
