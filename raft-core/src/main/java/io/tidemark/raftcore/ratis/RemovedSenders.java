package io.tidemark.raftcore.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the calls of members that were removed, before Ratis sees their messages. Ratis refuses
 * votes to whoever isn't in the configuration, but follows any leader of a higher term: members
 * that a forced new cluster has left behind could agree among themselves and take the survivor in
 * again, with other data. Thread-safe.
 */
final class RemovedSenders implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(RemovedSenders.class);

  private final String self;
  private final LongPredicate removed;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * One that has refused nobody yet.
   *
   * @param removed whether a member's messages are refused; asked for each message
   */
  RemovedSenders(String self, LongPredicate removed) {
    this.self = self;
    this.removed = removed;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Endable<Q, A> endable = new Endable<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(endable, headers)) {
      @Override
      public void onMessage(Q message) {
        String sender = RaftSender.of(message);
        if (sender == null || !removed.test(RatisNode.memberId(sender))) {
          super.onMessage(message);
        } else if (endable.end(refusal(sender))) {
          super.onCancel(); // nothing more comes for whoever reads it
        }
      }

      @Override
      public void onHalfClose() {
        if (!endable.ended()) {
          super.onHalfClose();
        }
      }

      @Override
      public void onCancel() {
        if (!endable.ended()) {
          super.onCancel();
        }
      }

      @Override
      public void onComplete() {
        if (!endable.ended()) {
          super.onComplete();
        }
      }
    };
  }

  private Status refusal(String sender) {
    if (told.add(sender)) {
      LOG.warn("{}: refuses messages of {}, which was removed from the cluster", self, sender);
    }
    return Status.FAILED_PRECONDITION.withDescription(
        "member " + sender + " has been permanently removed from the cluster");
  }

  /** A call that nothing more is sent on once it was ended here: Ratis may be about to answer. */
  private static final class Endable<Q, A> extends SimpleForwardingServerCall<Q, A> {
    @GuardedBy("this")
    private boolean ended;

    Endable(ServerCall<Q, A> call) {
      super(call);
    }

    synchronized boolean ended() {
      return ended;
    }

    /** Returns whether this was what ended it. */
    synchronized boolean end(Status status) {
      if (ended) {
        return false;
      }
      ended = true;
      super.close(status, new Metadata());
      return true;
    }

    @Override
    public synchronized void request(int messages) {
      if (!ended) {
        super.request(messages);
      }
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!ended) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public synchronized void sendMessage(A message) {
      if (!ended) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!ended) {
        super.close(status, trailers);
      }
    }
  }
}
