package io.tidemark.statemachine.backup;

import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.backup.bbolt.BboltWriter;
import io.tidemark.statemachine.backup.bbolt.PageSink;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.List;

/**
 * A view of a store as etcd's snapshot file: bbolt pages with etcd's buckets, then the SHA-256 of
 * all that.
 *
 * <p>The view is gone through twice, since the first pages name the last ones: once to learn the
 * size, once to write. Nothing is kept in between but the layout, so that a backup needs neither
 * memory nor disk that grows with the store. Holds history from the compact revision on. One
 * thread.
 */
public final class BackupFile {
  private final BboltWriter.Source source;
  private final BboltWriter.Layout layout;

  private BackupFile(BboltWriter.Source source, BboltWriter.Layout layout) {
    this.source = source;
    this.layout = layout;
  }

  /**
   * Goes through the view for the first time.
   *
   * @param view stays the caller's, and open until the file is written
   * @param memoryBytes about what sorting may use
   * @param passing sees the pages, which aren't final yet; throws to give up
   */
  public static BackupFile measure(ReadView view, long memoryBytes, PageSink passing)
      throws IOException {
    List<BucketRows> buckets = Buckets.all(memoryBytes);
    BboltWriter.Source source =
        out -> {
          for (BucketRows bucket : buckets) {
            out.beginBucket();
            bucket.write(view, out::put);
            out.endBucket(bucket.name());
          }
        };
    return new BackupFile(source, BboltWriter.measure(source, passing));
  }

  /** Size of the file without the digest at its end. */
  public long bytes() {
    return layout.bytes();
  }

  /**
   * Goes through the view for the second time.
   *
   * @param sink takes the file without the digest; throws to give up
   * @return the digest, which ends the file
   */
  public byte[] writeTo(PageSink sink) throws IOException {
    MessageDigest digest = Digests.sha256();
    BboltWriter.write(
        source,
        layout,
        (bytes, length) -> {
          digest.update(bytes, 0, length);
          sink.accept(bytes, length);
        });
    return digest.digest();
  }
}
