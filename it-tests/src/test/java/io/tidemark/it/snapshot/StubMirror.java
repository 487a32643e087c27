package io.tidemark.it.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.it.client.MemberClient;

/**
 * A mirror over a raw stub. When the stream ends, another is opened after the last revision seen,
 * as clients do, and waits for the member to be back.
 */
final class StubMirror implements Mirror {
  private final MemberClient member;
  private final ByteString prefix;
  private final MirroredFiles files;

  @GuardedBy("this")
  private int streams;

  @GuardedBy("this")
  private boolean closed;

  private StubMirror(MemberClient member, String prefix) {
    this.member = member;
    this.prefix = ByteString.copyFromUtf8(prefix);
    this.files = new MirroredFiles(prefix);
  }

  static StubMirror of(MemberClient member, String prefix) {
    StubMirror mirror = new StubMirror(member, prefix);
    mirror.follow();
    return mirror;
  }

  @Override
  public MirroredFiles mirrored() {
    return files;
  }

  /** How many streams were opened. */
  synchronized int streams() {
    return streams;
  }

  private void follow() {
    synchronized (this) {
      if (closed) {
        return;
      }
      streams++;
    }
    StreamObserver<WatchRequest> stream =
        WatchGrpc.newStub(member.channel()).withWaitForReady().watch(new Stream());
    stream.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(prefix)
                    .setRangeEnd(after(prefix))
                    .setStartRevision(files.seen() + 1)
                    .setPrevKv(true))
            .build());
  }

  private static ByteString after(ByteString prefix) {
    int last = prefix.size() - 1;
    byte next = (byte) (prefix.byteAt(last) + 1);
    return prefix.substring(0, last).concat(ByteString.copyFrom(new byte[] {next}));
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private final class Stream implements StreamObserver<WatchResponse> {
    @Override
    public void onNext(WatchResponse response) {
      if (response.getCanceled()) {
        files.fault("canceled: " + response);
      }
      files.accept(response.getEventsList());
    }

    @Override
    public void onError(Throwable failure) {
      follow();
    }

    @Override
    public void onCompleted() {
      follow();
    }
  }
}
