package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.Genesis;
import io.tidemark.statemachine.backup.bbolt.BboltFile;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes a new cluster's first store out of a snapshot file. The same file and the same founders
 * give the same store, so that each founder can be restored where it will run. Blocks.
 */
public final class StoreImport {
  /**
   * The position of a restored store. It isn't the one before all entries: a founder that comes
   * without the restored store must get it, and would replay the log over nothing otherwise.
   */
  private static final AppliedPosition RESTORED = new AppliedPosition(1, 1);

  private StoreImport() {}

  /**
   * What is changed on the way.
   *
   * @param bumpRevision added to the revision, so that nothing new gets a revision that clients of
   *     the lost cluster may have seen; 0 for none
   * @param markCompacted whether everything up to the new revision counts as compacted, so that
   *     watchers of the lost cluster begin again
   */
  public record Changes(long bumpRevision, boolean markCompacted) {
    /** The store as it was. */
    public static final Changes NONE = new Changes(0, false);

    public Changes {
      if (bumpRevision < 0) {
        throw new IllegalArgumentException("the revision can't go back");
      }
    }
  }

  /** Revisions of a new store. */
  public record Loaded(long revision, long compactRevision) {}

  /**
   * Loads a file into an empty or absent directory.
   *
   * @throws DamagedFileException if the file holds what etcd never writes; the message is for the
   *     user, the directory is of no use then
   */
  public static Loaded load(
      SnapshotFile file, Path store, MvccLimits limits, Genesis genesis, Changes changes)
      throws IOException {
    BboltFile pages = file.pages();
    long compacted = MetaBucket.compactRevision(pages);
    long revision = Math.addExact(revisionOf(pages, compacted), changes.bumpRevision());
    long compactRevision = changes.markCompacted() ? revision : compacted;
    Map<ByteString, BucketRows> known = new HashMap<>();
    for (BucketRows bucket : Buckets.all(0)) {
      known.put(ByteString.copyFromUtf8(bucket.name()), bucket);
    }
    try (StoreLoad load = StoreLoad.into(store, limits, compactRevision, LeaseBucket::moved)) {
      pages.buckets(
          (name, bucket) -> {
            BucketRows rows = known.get(name);
            if (rows != null) {
              pages.entriesOf(bucket, (key, value) -> rows.read(key, value, load));
            }
          });
      found(load, genesis);
      load.finish(revision, RESTORED);
    }
    return new Loaded(revision, compactRevision);
  }

  private static long revisionOf(BboltFile pages, long compacted) throws IOException {
    ByteString last = pages.lastKey(KeyBucket.NAME);
    long newest = last == null ? 1 : KeyBucket.main(last);
    return Math.max(newest, compacted);
  }

  private static void found(StoreLoad load, Genesis genesis) {
    load.table(Table.META, MemberTable.CLUSTER_ID_KEY, MemberTable.idBytes(genesis.clusterId()));
    for (Member founder : genesis.founders()) {
      load.table(Table.MEMBER, MemberTable.idBytes(founder.getID()), founder.toByteString());
    }
  }
}
