package io.tidemark.statemachine.backup;

import java.util.List;

/** etcd's buckets in the order of their names. */
final class Buckets {
  private Buckets() {}

  /** For one file: some remember what they have read. */
  static List<BucketRows> all(long memoryBytes) {
    return List.of(
        new AlarmBucket(),
        new AuthBuckets.Status(),
        new AuthBuckets.Roles(),
        new AuthBuckets.Users(),
        new EmptyBucket("cluster"),
        new KeyBucket(memoryBytes),
        new LeaseBucket(),
        new MembersBucket(),
        new EmptyBucket("members_removed"),
        new MetaBucket());
  }
}
