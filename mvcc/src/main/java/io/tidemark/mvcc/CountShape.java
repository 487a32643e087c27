package io.tidemark.mvcc;

/**
 * Sizes in the family {@code count}. All but the limits of buckets are part of the format: what a
 * row stands for follows from them.
 *
 * @param bucketKeys keys in a bucket above which it is split
 * @param groupBuckets buckets in a group above which it is split
 * @param firstRun revisions in a run of level 1
 * @param fanOut runs of one level in a run of the next
 * @param levels levels of runs above the single revisions
 */
record CountShape(int bucketKeys, int groupBuckets, int firstRun, int fanOut, int levels) {
  /** What every store has; tests walk the same paths with smaller numbers. */
  static final CountShape DEFAULT = new CountShape(512, 256, 64, 16, 4);

  /** Keys or buckets in each part of one that is split. */
  static int half(int max) {
    return Math.max(1, max / 2);
  }

  /** Revisions in a run; those of level 0 are the revisions themselves. */
  long revisions(int level) {
    long revisions = level == 0 ? 1 : firstRun;
    for (int i = 1; i < level; i++) {
      revisions *= fanOut;
    }
    return revisions;
  }

  /** First revision of the run that holds {@code revision}. */
  long runOf(int level, long revision) {
    long revisions = revisions(level);
    return revision / revisions * revisions;
  }

  /** First revision of the first run that begins at {@code revision} or later. */
  long runFrom(int level, long revision) {
    return runOf(level, revision + revisions(level) - 1);
  }
}
