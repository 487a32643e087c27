package io.tidemark.examples;

import static io.tidemark.examples.Texts.answer;
import static io.tidemark.examples.Texts.bytes;
import static io.tidemark.examples.Texts.end;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.util.List;

/**
 * Service discovery: who offers a service says so under a lease and keeps the lease alive; who dies
 * is gone when it runs out, and who leaves is gone at once. Thread-safe.
 */
public final class ServiceDirectory implements AutoCloseable {
  private final Client client;
  private final String prefix;
  private final ListWatchCache instances;

  /** The directory of one service. */
  public ServiceDirectory(Client client, String service) {
    this.client = client;
    this.prefix = "services/" + service + "/";
    this.instances = new ListWatchCache(client, prefix, () -> {});
  }

  /** Addresses of all that offer the service now, as far as this client has heard. */
  public List<String> addresses() {
    return List.copyOf(instances.contents().values());
  }

  /**
   * Offers the service until closed.
   *
   * @param ttlSeconds how long others believe in an instance that isn't heard of
   */
  public Offer offer(String instance, String address, long ttlSeconds) {
    long lease = answer(client.getLeaseClient().grant(ttlSeconds)).getID();
    answer(
        client
            .getKVClient()
            .put(
                bytes(prefix + instance),
                bytes(address),
                PutOption.builder().withLeaseId(lease).build()));
    return new Offer(client, lease, client.getLeaseClient().keepAlive(lease, new Unheard()));
  }

  @Override
  public void close() {
    instances.close();
  }

  /** An instance that others can see. */
  public record Offer(Client client, long lease, CloseableClient renewals) implements AutoCloseable {
    /** Withdraws it at once. */
    @Override
    public void close() {
      renewals.close();
      end(client, lease);
    }
  }

  /** The client renews by itself; there is nothing to do about an answer. */
  private static final class Unheard implements StreamObserver<LeaseKeepAliveResponse> {
    @Override
    public void onNext(LeaseKeepAliveResponse answer) {}

    @Override
    public void onError(Throwable lost) {}

    @Override
    public void onCompleted() {}
  }
}
