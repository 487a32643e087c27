package io.tidemark.server.kv;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeStreamResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.Reads;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.read.RangeStream;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One streamed range. Chunks are read one at a time on a scan thread, and only while the client
 * takes them, so that a call never holds more than one chunk and what the transport has buffered.
 *
 * <p>The view is pinned from the first chunk to the end of the call. A compaction that passes its
 * revision ends the call at the next chunk, as in etcd.
 */
final class RangeStreamCall {
  private final RangeRequest request;
  private final Reply reply;
  private final Reads reads;
  private final Executor lane;
  private final Headers headers;
  private final int chunkBytes;

  @GuardedBy("this")
  private @Nullable ReadView view;

  @GuardedBy("this")
  private @Nullable RangeStream chunks;

  @GuardedBy("this")
  private boolean over;

  RangeStreamCall(
      RangeRequest request,
      Reply reply,
      Reads reads,
      Executor lane,
      Headers headers,
      int chunkBytes) {
    this.request = request;
    this.reply = reply;
    this.reads = reads;
    this.lane = lane;
    this.headers = headers;
    this.chunkBytes = chunkBytes;
    reply.whenReady(this::schedule);
    reply.whenOver(this::end);
  }

  /** Thread: scan. The member's data is fresh enough now. */
  void start() {
    synchronized (this) {
      if (over) {
        return;
      }
      ReadView pinned = reads.view(permissions -> permissions.range(request), reply);
      if (pinned == null) {
        return;
      }
      view = pinned;
      chunks = new RangeStream(pinned, request, chunkBytes);
    }
    turn();
  }

  /** Sends one chunk and comes back for the next one, so that scans share their threads. */
  private synchronized void turn() {
    RangeStream source = chunks;
    ReadView pinned = view;
    if (over || source == null || pinned == null || !reply.isReady()) {
      return;
    }
    long revision = request.getRevision() > 0 ? request.getRevision() : pinned.revision();
    if (reads.compactRevision() > revision) {
      reply.fail(EtcdError.COMPACTED);
      return;
    }
    ByteString chunk = source.next();
    if (source.hasNext()) {
      reply.sendPart(wrapped(Spliced.of(chunk)));
      schedule();
    } else {
      reply.send(wrapped(headers.complete(chunk)));
      release();
    }
  }

  private void schedule() {
    try {
      lane.execute(() -> Reads.guarded(reply, this::turn));
    } catch (RejectedExecutionException full) {
      reply.fail(EtcdError.TOO_MANY_REQUESTS);
    }
  }

  /** Thread: event loop. A chunk may be being read: closing the view waits on a scan thread. */
  private void end() {
    try {
      lane.execute(this::release);
    } catch (RejectedExecutionException full) {
      release();
    }
  }

  private synchronized void release() {
    over = true;
    chunks = null;
    if (view != null) {
      view.close();
      view = null;
    }
  }

  /** As field {@code range_response} of the stream's message. */
  private static Spliced wrapped(Spliced response) {
    int size = response.size();
    byte[] tag = new byte[1 + CodedOutputStream.computeUInt32SizeNoTag(size)];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(tag);
      out.writeTag(
          RangeStreamResponse.RANGE_RESPONSE_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(size);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("an array of the right size was too small", e);
    }
    return response.after(UnsafeByteOperations.unsafeWrap(tag));
  }
}
