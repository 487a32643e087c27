package io.tidemark.examples;

import static io.tidemark.examples.Texts.answer;
import static io.tidemark.examples.Texts.answerInTheEnd;
import static io.tidemark.examples.Texts.bytes;
import static io.tidemark.examples.Texts.end;
import static io.tidemark.examples.Texts.leaseIsGone;
import static io.tidemark.examples.Texts.text;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Leader election: of all candidates for an office one holds it at a time, until it resigns or is
 * not heard of for its time to live. Thread-safe.
 */
public final class Candidate implements AutoCloseable {
  private static final Executor SOON =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

  private final Client client;
  private final String office;
  private final long lease;
  private final CloseableClient renewals;
  private final String name;
  private final CompletableFuture<Void> elected;
  private volatile boolean closed;

  /** Stands for an office; {@link #elected} completes when it is won. */
  public Candidate(Client client, String office, String name, long ttlSeconds) {
    this.client = client;
    this.office = office;
    this.lease = answer(client.getLeaseClient().grant(ttlSeconds)).getID();
    this.renewals = client.getLeaseClient().keepAlive(lease, Observers.observer(renewed -> {}));
    this.name = name;
    this.elected = stand();
  }

  private CompletableFuture<Void> stand() {
    return client
        .getElectionClient()
        .campaign(bytes(office), lease, bytes(name))
        .handle(
            (won, failure) -> {
              if (failure == null) {
                return CompletableFuture.<Void>completedFuture(null);
              }
              return closed || leaseIsGone(failure)
                  ? CompletableFuture.<Void>failedFuture(failure)
                  : CompletableFuture.supplyAsync(this::stand, SOON).thenCompose(again -> again);
            })
        .thenCompose(result -> result);
  }

  /** Completes once this candidate holds the office. */
  public CompletableFuture<Void> elected() {
    return elected.copy();
  }

  /** The name of whoever holds the office. Fails when nobody does. */
  public static String holder(Client client, String office) {
    return text(
        answerInTheEnd(() -> client.getElectionClient().leader(bytes(office))).getKv().getValue());
  }

  /** Gives the office, or the place in the queue, to the next one at once. */
  @Override
  public void close() {
    closed = true;
    renewals.close();
    end(client, lease);
  }

  @Override
  public String toString() {
    return "candidate for " + office;
  }
}
