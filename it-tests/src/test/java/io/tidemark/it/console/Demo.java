package io.tidemark.it.console;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.it.client.MemberClient;
import java.util.List;
import java.util.Locale;

/** Keys such as a small company might have: settings with a past, services on leases, many pods. */
final class Demo {
  static final String FLAGS = "/config/billing/flags.json";

  private static final List<String> APPS =
      List.of("api", "auth", "billing", "cart", "catalog", "email", "feed", "images", "search");
  private static final List<String> REGIONS = List.of("ams", "fra", "iad", "nrt");
  private static final int KEYS_A_TXN = 100;

  private final MemberClient client;

  Demo(MemberClient client) {
    this.client = client;
  }

  void fill() {
    many("/registry/pods/", 900);
    for (String app : APPS) {
      put("/config/" + app + "/flags.json", "{\"retries\":3,\"timeoutMs\":250,\"canary\":false}");
    }
    put(FLAGS, "{\"retries\":5,\"timeoutMs\":250,\"canary\":false}");
    put("/config/cart/motd", "Shipping is free this week.\nOrders before noon leave today.\n");
    var deleted = client.delete("/config/email/flags.json").answer();
    put(FLAGS, "{\"retries\":5,\"timeoutMs\":400,\"canary\":true,\"owner\":\"payments\"}");
    put("/config/email/flags.json", "{\"retries\":2,\"timeoutMs\":900,\"canary\":false}");
    put(
        FLAGS,
        "{\"retries\":5,\"timeoutMs\":380,\"canary\":true,\"owner\":\"payments\","
            + "\"regions\":[\"ams\",\"fra\"],\"budget\":12345678901234567890}");
    put("/config/cart/motd", "Shipping is free until Sunday.\nOrders before noon leave today.\n");
    for (int i = 0; i < APPS.size(); i++) {
      service(i);
    }
  }

  private void service(int i) {
    long id = 0x7a00 + i;
    var granted =
        LeaseGrpc.newBlockingStub(client.channel())
            .leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(600 + 60L * i).build());
    for (int k = 0; k <= i % 3; k++) {
      var kept =
          client
              .put(
                  request(
                          "/services/" + APPS.get(i) + "/" + REGIONS.get((i + k) % 4),
                          "{\"host\":\"10.8." + i + "." + (10 + k) + "\",\"port\":8080}")
                      .setLease(id)
                      .build())
              .answer();
    }
  }

  /** Many keys below a prefix, spread over ten folders; some at once in one revision. */
  void many(String prefix, int keys) {
    for (int first = 0; first < keys; first += KEYS_A_TXN) {
      TxnRequest.Builder txn = TxnRequest.newBuilder();
      for (int i = first; i < Math.min(keys, first + KEYS_A_TXN); i++) {
        String app = APPS.get(i % APPS.size());
        String key = String.format(Locale.ROOT, "%s%s/%s-%06x", prefix, app, app, i * 7919);
        String value = "{\"kind\":\"Pod\",\"node\":\"node-" + i % 40 + "\",\"phase\":\"Running\"}";
        txn.addSuccess(RequestOp.newBuilder().setRequestPut(request(key, value)));
      }
      var done = client.txn(txn.build()).answer();
    }
  }

  long put(String key, String value) {
    return client.put(request(key, value).build()).answer().getHeader().getRevision();
  }

  void putBytes(ByteString key, ByteString value) {
    var unused = client.put(PutRequest.newBuilder().setKey(key).setValue(value).build()).answer();
  }

  private static PutRequest.Builder request(String key, String value) {
    return PutRequest.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setValue(ByteString.copyFromUtf8(value));
  }
}
