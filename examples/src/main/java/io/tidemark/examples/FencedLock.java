package io.tidemark.examples;

import static io.tidemark.examples.Texts.answer;
import static io.tidemark.examples.Texts.bytes;
import static io.tidemark.examples.Texts.end;
import static io.tidemark.examples.Texts.leaseIsGone;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * A distributed lock whose holder can prove that it still holds it. A lock alone is no safeguard: a
 * holder that sleeps through its lease goes on as if nothing had happened. So what the lock guards is
 * written through {@link Hold#put}, which the store refuses once the lock has passed on.
 *
 * <p>A hold belongs to one thread.
 */
public final class FencedLock {
  private final Client client;
  private final String name;

  public FencedLock(Client client, String name) {
    this.client = client;
    this.name = name;
  }

  /**
   * Waits for the lock, as long as it takes.
   *
   * @param ttlSeconds after which a dead holder loses it
   */
  public Hold lock(long ttlSeconds) throws Exception {
    long lease = answer(client.getLeaseClient().grant(ttlSeconds)).getID();
    CloseableClient renewals =
        client.getLeaseClient().keepAlive(lease, Observers.observer(renewed -> {}));
    try {
      return new Hold(client, queue(lease), lease, renewals);
    } catch (Exception failed) {
      renewals.close();
      client.getLeaseClient().revoke(lease);
      throw failed;
    }
  }

  private ByteSequence queue(long lease) throws Exception {
    while (true) {
      try {
        return client.getLockClient().lock(bytes(name), lease).get().getKey();
      } catch (ExecutionException failed) {
        if (leaseIsGone(failed)) {
          throw failed;
        }
        LockSupport.parkNanos(100_000_000);
      }
    }
  }

  /** The lock, held. */
  public static final class Hold implements AutoCloseable {
    private final Client client;
    private final ByteSequence key;
    private final long lease;
    private final CloseableClient renewals;

    Hold(Client client, ByteSequence key, long lease, CloseableClient renewals) {
      this.client = client;
      this.key = key;
      this.lease = lease;
      this.renewals = renewals;
    }

    /** Writes, if the lock is still held; false if it isn't any more, and nothing was written. */
    public boolean put(String guarded, String value) {
      Cmp stillHeld = new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0));
      Op write = Op.put(bytes(guarded), bytes(value), PutOption.DEFAULT);
      return answer(client.getKVClient().txn().If(stillHeld).Then(write).commit()).isSucceeded();
    }

    /** As if the holder slept: it renews no more, and doesn't know. */
    void fallAsleep() {
      renewals.close();
    }

    /** Gives the lock to whoever waits. */
    @Override
    public void close() {
      renewals.close();
      end(client, lease);
    }
  }
}
