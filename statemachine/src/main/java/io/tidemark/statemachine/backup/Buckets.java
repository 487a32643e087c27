package io.tidemark.statemachine.backup;

import java.util.List;

/** etcd's buckets in the order of their names. */
final class Buckets {
  private Buckets() {}

  static List<BucketRows> all(long memoryBytes) {
    return List.of(
        new EmptyBucket("alarm"),
        new EmptyBucket("auth"),
        new EmptyBucket("authRoles"),
        new EmptyBucket("authUsers"),
        new EmptyBucket("cluster"),
        new KeyBucket(memoryBytes),
        new EmptyBucket("lease"),
        new MembersBucket(),
        new EmptyBucket("members_removed"),
        new MetaBucket());
  }
}
