package io.tidemark.testkit;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client that speaks in texts. */
final class Keys implements AutoCloseable {
  final Client client;

  private Keys(Client client) {
    this.client = client;
  }

  static Keys at(List<URI> endpoints) {
    return new Keys(Client.builder().endpoints(endpoints).build());
  }

  static Keys at(TidemarkMember member) {
    return at(List.of(member.clientEndpoint()));
  }

  static Keys at(TidemarkCluster cluster) {
    return at(cluster.clientEndpoints());
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  void put(String key, String value) throws Exception {
    client.getKVClient().put(bytes(key), bytes(value)).get(30, TimeUnit.SECONDS);
  }

  CompletableFuture<List<String>> ask(String key, boolean serializable) {
    return client
        .getKVClient()
        .get(bytes(key), GetOption.builder().withSerializable(serializable).build())
        .thenApply(answer -> answer.getKvs().stream().map(KeyValue::getValue).toList())
        .thenApply(values -> values.stream().map(v -> v.toString(StandardCharsets.UTF_8)).toList());
  }

  List<String> get(String key) throws Exception {
    return ask(key, false).get(30, TimeUnit.SECONDS);
  }

  List<String> local(String key) throws Exception {
    return ask(key, true).get(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    client.close();
  }
}
