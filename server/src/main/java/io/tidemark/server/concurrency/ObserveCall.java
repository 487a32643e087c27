package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.api.v3electionpb.LeaderResponse;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.watch.EncodedEvent;
import java.util.List;

/**
 * One call of Observe: tells the leader's value and each new one, then those of its successor,
 * until the client goes away.
 *
 * <p>While nobody leads it watches the whole queue for the first key, else only the leader's. Every
 * step runs on a read thread, one after the other. A client that reads slowly holds up nothing but
 * its own watch, which waits while the transport has no room.
 */
final class ObserveCall implements KeyWatch.Listener, LeaderLoss.Stream {
  private final Steps steps;
  private final Headers headers;
  private final ByteString prefix;
  private final Reply reply;
  private final LeaderLoss leaderLoss;
  private final KeyWatch watch;
  private boolean somebodyLeads;

  ObserveCall(Steps steps, Headers headers, ByteString name, Reply reply, LeaderLoss leaderLoss) {
    this.steps = steps;
    this.headers = headers;
    this.prefix = Keys.prefix(name);
    this.reply = reply;
    this.leaderLoss = leaderLoss;
    this.watch = new KeyWatch(steps, this, reply::isReady);
  }

  void start() {
    reply.whenReady(watch::resume);
    reply.whenOver(this::close);
    var unused =
        steps
            .range(Keys.oldest(prefix))
            .thenAccept(this::found)
            .exceptionally(
                failure -> {
                  RefusedException.report(reply, failure);
                  return null;
                });
  }

  @Override
  public void terminate(Status status) {
    reply.fail(status);
    close();
  }

  @Override
  public void events(List<EncodedEvent> events) {
    for (EncodedEvent encoded : events) {
      Event event = event(encoded);
      if (event.getType() == Event.EventType.PUT) {
        tell(event.getKv(), encoded.revision());
        if (!somebodyLeads) {
          follow(event.getKv().getKey(), encoded.revision());
          return;
        }
      } else if (somebodyLeads) {
        watch.stop();
        lost();
        return;
      }
    }
  }

  @Override
  public void lost() {
    try {
      found(steps.here(Keys.oldest(prefix)));
    } catch (RuntimeException e) {
      RefusedException.report(reply, e);
    }
  }

  @Override
  public void failed(EtcdError error) {
    RefusedException.report(reply, Steps.refused(error));
  }

  private void found(RangeResponse oldest) {
    long revision = oldest.getHeader().getRevision();
    if (oldest.getKvsCount() == 0) {
      somebodyLeads = false;
      watch.start(new KeyRange(prefix, Keys.end(prefix)), revision + 1, false);
      return;
    }
    tell(oldest.getKvs(0), revision);
    follow(oldest.getKvs(0).getKey(), revision);
  }

  private void follow(ByteString key, long revision) {
    somebodyLeads = true;
    watch.start(new KeyRange(key, ByteString.EMPTY), revision + 1, false);
  }

  private void tell(KeyValue leader, long revision) {
    reply.sendPart(
        Spliced.of(
            LeaderResponse.newBuilder()
                .setHeader(headers.message(revision))
                .setKv(leader)
                .build()
                .toByteString()));
  }

  private void close() {
    watch.close();
    leaderLoss.remove(this);
  }

  private static Event event(EncodedEvent encoded) {
    try {
      return Event.parseFrom(encoded.bytes());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("an event of our own making is unreadable", e);
    }
  }
}
