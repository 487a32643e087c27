package io.tidemark.statemachine.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.RangeQuery;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.kv.Ranges;
import io.tidemark.statemachine.kv.ResponseBytes;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A range in chunks, all read from one pinned view at one revision.
 *
 * <p>Each element is a serialized RangeResponse. All but the last hold only pairs; the last one
 * alone holds header, {@code more} and {@code count}. Merged in order they equal the answer in one
 * piece. The first chunk has at most 10 pairs; the next ones grow while chunks are small and shrink
 * when they are large, measured against {@code --max-request-bytes}.
 *
 * <p>The request must be one that can be streamed ({@code RequestChecks.streamRefusal}). The view
 * stays the caller's: it must be open until the last element, and be closed by the caller. Thread:
 * the one that holds the view; each element blocks on disk.
 */
public final class RangeStream implements Iterator<ByteString> {
  private static final long FIRST_CHUNK = 10;

  /** An end of one zero byte and a key followed by one: "from here on" and "right after". */
  private static final ByteString ZERO = ByteString.copyFrom(new byte[1]);

  private final ReadView view;
  private final RangeQuery whole;
  private final long chunkBytes;

  private ByteString nextKey;
  private long chunkLimit = FIRST_CHUNK;
  private long remaining;
  private long count = -1;
  private boolean finished;

  /**
   * A stream over a view.
   *
   * @param chunkBytes the size that chunks aim at, in bytes: half of it and twice it are the bounds
   */
  public RangeStream(ReadView view, RangeRequest request, int chunkBytes) {
    this.view = view;
    this.whole = Ranges.query(request);
    this.chunkBytes = chunkBytes;
    this.nextKey = request.getKey();
    this.remaining = whole.limit() == 0 ? Long.MAX_VALUE : whole.limit();
  }

  @Override
  public boolean hasNext() {
    return !finished;
  }

  /**
   * The next chunk.
   *
   * @throws io.tidemark.mvcc.RevisionException if the revision asked for cannot be read; then the
   *     first call throws it
   */
  @Override
  public ByteString next() {
    if (finished) {
      throw new NoSuchElementException("the last chunk is out");
    }
    RangePage page = view.range(chunk());
    if (count < 0) {
      count = page.count(); // the first chunk's range is the whole one
    }
    remaining -= page.size();
    finished = whole.countOnly() || !page.more() || remaining == 0;
    if (finished) {
      return ResponseBytes.range(
          view.revision(), new RangePage(page.kvs(), page.size(), count, page.more()));
    }
    nextKey = lastKey(page.kvs()).concat(ZERO);
    resize(page.kvs().size());
    return page.kvs();
  }

  private RangeQuery chunk() {
    return new RangeQuery(
        new KeyRange(nextKey, whole.range().rangeEnd()),
        whole.revision(),
        Math.min(chunkLimit, remaining),
        whole.order(),
        whole.target(),
        whole.keysOnly(),
        whole.countOnly(),
        whole.bounds());
  }

  private void resize(long lastBytes) {
    if (lastBytes < chunkBytes / 2) {
      chunkLimit = Math.min(chunkLimit * 2, Integer.MAX_VALUE);
    } else if (lastBytes > 2 * chunkBytes) {
      chunkLimit = Math.max(1, chunkLimit / 2);
    }
  }

  /** The key of the last pair of a page that has one. */
  private static ByteString lastKey(ByteString kvs) {
    try {
      CodedInputStream in = kvs.newCodedInput();
      in.enableAliasing(true);
      ByteString last = ByteString.EMPTY;
      while (!in.isAtEnd()) {
        int tag = in.readTag();
        if (WireFormat.getTagFieldNumber(tag) != RangeResponse.KVS_FIELD_NUMBER) {
          throw new IllegalStateException("a page holds more than pairs");
        }
        last = in.readBytes();
      }
      return KeyValue.parseFrom(last).getKey(); // a copy: it does not keep the page alive
    } catch (IOException e) {
      throw new IllegalStateException("a page is unreadable", e);
    }
  }
}
