package io.tidemark.examples;

import static io.tidemark.examples.Texts.answer;
import static io.tidemark.examples.Texts.bytes;
import static io.tidemark.examples.Texts.text;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A prefix, kept in memory: read once at one revision, then followed from the revision after it, so
 * that no change is missed or seen twice. When the history it needs was compacted away, it reads
 * anew. {@link #onChange} is told that something changed, not what: whoever listens looks at {@link
 * #contents}, and so may hear once of many changes, or twice of one.
 *
 * <p>Thread-safe. The listener runs on the client's thread and must not block.
 */
public final class ListWatchCache implements AutoCloseable {
  private final Client client;
  private final String prefix;
  private final Runnable onChange;
  private Map<String, String> contents = new HashMap<>();
  private long revision;
  private Watch.Watcher watcher;
  private int generation;
  private boolean closed;

  /** A cache that is filled when this returns. */
  public ListWatchCache(Client client, String prefix, Runnable onChange) {
    this.client = client;
    this.prefix = prefix;
    this.onChange = onChange;
    list();
    onChange.run();
  }

  private synchronized void list() {
    GetResponse all =
        answer(
            client
                .getKVClient()
                .get(bytes(prefix), GetOption.builder().isPrefix(true).build()));
    Map<String, String> fresh = new HashMap<>();
    for (KeyValue kv : all.getKvs()) {
      fresh.put(text(kv.getKey()), text(kv.getValue()));
    }
    contents = fresh;
    revision = all.getHeader().getRevision();
    watch();
  }

  private void watch() {
    int mine = ++generation;
    WatchOption from =
        WatchOption.builder()
            .isPrefix(true)
            .withRevision(revision + 1)
            .withProgressNotify(true)
            .build();
    watcher =
        client
            .getWatchClient()
            .watch(
                bytes(prefix),
                from,
                Watch.listener(response -> heard(mine, response), cause -> lost(mine)));
  }

  private void heard(int listing, WatchResponse response) {
    synchronized (this) {
      if (listing != generation) {
        return; // what was listed since then is newer
      }
      for (WatchEvent event : response.getEvents()) {
        KeyValue kv = event.getKeyValue();
        if (event.getEventType() == WatchEvent.EventType.DELETE) {
          contents.remove(text(kv.getKey()));
        } else {
          contents.put(text(kv.getKey()), text(kv.getValue()));
        }
        revision = kv.getModRevision();
      }
      if (response.getEvents().isEmpty()) {
        revision = Math.max(revision, response.getHeader().getRevision()); // nothing up to there
      }
    }
    if (!response.getEvents().isEmpty()) {
      onChange.run();
    }
  }

  /** The client mends lost connections by itself; this is for what it can't, as a compaction. */
  private void lost(int listing) {
    Thread again = new Thread(() -> listAgain(listing), "list-again");
    again.setDaemon(true);
    again.start();
  }

  private void listAgain(int listing) {
    synchronized (this) {
      while (!closed && listing == generation) {
        try {
          watcher.close();
          list();
        } catch (IllegalStateException failed) {
          rest();
        }
      }
      if (closed) {
        return;
      }
    }
    onChange.run();
  }

  private synchronized void rest() {
    try {
      wait(1_000);
    } catch (InterruptedException e) {
      closed = true;
      Thread.currentThread().interrupt();
    }
  }

  /** All keys and values below the prefix, of one moment. */
  public synchronized SortedMap<String, String> contents() {
    return new TreeMap<>(contents);
  }

  /** The revision that {@link #contents} is at least as new as. */
  public synchronized long revision() {
    return revision;
  }

  @Override
  public synchronized void close() {
    closed = true;
    watcher.close();
  }
}
