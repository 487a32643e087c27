package io.tidemark.it.snapshot;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.ClosedClientException;
import io.etcd.jetcd.common.exception.ClosedWatcherException;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A mirror over jetcd's Watch, which is left to resume by itself. */
final class JetcdMirror implements Mirror {
  private final MirroredFiles files;
  private final Client client;

  private JetcdMirror(Client client, String prefix) {
    this.client = client;
    this.files = new MirroredFiles(prefix);
  }

  static JetcdMirror of(String endpoint, String prefix) {
    Client client = Client.builder().endpoints("http://" + endpoint).build();
    JetcdMirror mirror = new JetcdMirror(client, prefix);
    mirror.watch(ByteSequence.from(prefix, StandardCharsets.UTF_8));
    return mirror;
  }

  private void watch(ByteSequence prefix) {
    Watch.Watcher unused =
        client
            .getWatchClient()
            .watch(
                prefix,
                WatchOption.builder().withRevision(1).isPrefix(true).withPrevKV(true).build(),
                Watch.listener(this::accept, this::failed, () -> files.fault("completed")));
  }

  /** jetcd tells of a broken connection, and goes on by itself. */
  private void failed(Throwable failure) {
    boolean interrupted =
        failure instanceof EtcdException broken
            && broken.getErrorCode() != ErrorCode.OUT_OF_RANGE
            && !(failure instanceof CompactedException)
            && !(failure instanceof ClosedWatcherException)
            && !(failure instanceof ClosedClientException);
    if (!interrupted) {
      files.fault("failed: " + failure);
    }
  }

  private void accept(WatchResponse response) {
    List<Event> events = response.getEvents().stream().map(JetcdMirror::event).toList();
    files.accept(events);
  }

  private static Event event(WatchEvent event) {
    Event.Builder builder =
        Event.newBuilder()
            .setType(
                event.getEventType() == WatchEvent.EventType.DELETE
                    ? Event.EventType.DELETE
                    : Event.EventType.PUT)
            .setKv(pair(event.getKeyValue()));
    // jetcd gives an empty pair when there was none before.
    if (event.getPrevKV().getModRevision() != 0) {
      builder.setPrevKv(pair(event.getPrevKV()));
    }
    return builder.build();
  }

  private static KeyValue pair(io.etcd.jetcd.KeyValue pair) {
    return KeyValue.newBuilder()
        .setKey(ByteString.copyFrom(pair.getKey().getBytes()))
        .setValue(ByteString.copyFrom(pair.getValue().getBytes()))
        .setCreateRevision(pair.getCreateRevision())
        .setModRevision(pair.getModRevision())
        .setVersion(pair.getVersion())
        .setLease(pair.getLease())
        .build();
  }

  @Override
  public MirroredFiles mirrored() {
    return files;
  }

  @Override
  public void close() {
    client.close();
  }
}
