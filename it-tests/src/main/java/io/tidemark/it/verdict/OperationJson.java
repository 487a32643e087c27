package io.tidemark.it.verdict;

import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.Action;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Outcome;
import java.util.Optional;

/** Attempts on keys as JSON objects that people can read. */
final class OperationJson {
  private OperationJson() {}

  static JsonObject of(Operation operation) {
    JsonObject json = new JsonObject();
    json.addProperty("client", operation.client());
    json.addProperty("began", operation.beganNanos());
    json.addProperty("ended", operation.endedNanos());
    json.addProperty("key", operation.action().key());
    operation.action().on(new ActionWriter(json));
    operation.outcome().on(new OutcomeWriter(json));
    return json;
  }

  private record ActionWriter(JsonObject json) implements Action.Cases<String> {
    @Override
    public String put(Action.Put put) {
      json.addProperty("value", put.value());
      return named("put");
    }

    @Override
    public String delete(Action.Delete delete) {
      return named("delete");
    }

    @Override
    public String swap(Action.Swap swap) {
      json.addProperty("expected", swap.expectedMod());
      json.addProperty("value", swap.value());
      return named("swap");
    }

    @Override
    public String read(Action.Read read) {
      return named(read.local() ? "local-read" : "read");
    }

    private String named(String name) {
      json.addProperty("action", name);
      return name;
    }
  }

  private record OutcomeWriter(JsonObject json) implements Outcome.Cases<String> {
    @Override
    public String done(Outcome.Done done) {
      json.addProperty("revision", done.revision());
      json.addProperty("changed", done.changed());
      done.found().ifPresent(pair -> json.add("found", pairJson(pair)));
      return "done";
    }

    @Override
    public String rejected(Outcome.Rejected rejected) {
      json.addProperty("rejected", rejected.error());
      return "rejected";
    }

    @Override
    public String unknown(Outcome.Unknown unknown) {
      json.addProperty("unknown", unknown.error());
      return "unknown";
    }
  }

  private static JsonObject pairJson(KeyValue pair) {
    JsonObject json = new JsonObject();
    json.addProperty("key", pair.getKey().toStringUtf8());
    json.addProperty("value", pair.getValue().toStringUtf8());
    json.addProperty("create", pair.getCreateRevision());
    json.addProperty("mod", pair.getModRevision());
    json.addProperty("version", pair.getVersion());
    json.addProperty("lease", pair.getLease());
    return json;
  }

  static Operation read(JsonObject json) {
    return new Operation(
        json.get("client").getAsString(),
        action(json),
        json.get("began").getAsLong(),
        json.get("ended").getAsLong(),
        outcome(json));
  }

  private static Action action(JsonObject json) {
    String key = json.get("key").getAsString();
    String name = json.get("action").getAsString();
    return switch (name) {
      case "put" -> new Action.Put(key, json.get("value").getAsString());
      case "delete" -> new Action.Delete(key);
      case "swap" ->
          new Action.Swap(key, json.get("expected").getAsLong(), json.get("value").getAsString());
      case "read" -> new Action.Read(key, false);
      case "local-read" -> new Action.Read(key, true);
      default -> throw new IllegalArgumentException("no action " + name);
    };
  }

  private static Outcome outcome(JsonObject json) {
    if (json.has("rejected")) {
      return new Outcome.Rejected(json.get("rejected").getAsString());
    }
    if (json.has("unknown")) {
      return new Outcome.Unknown(json.get("unknown").getAsString());
    }
    Optional<KeyValue> found =
        json.has("found") ? Optional.of(pair(json.getAsJsonObject("found"))) : Optional.empty();
    return new Outcome.Done(
        json.get("revision").getAsLong(), json.get("changed").getAsBoolean(), found);
  }

  private static KeyValue pair(JsonObject json) {
    return KeyValue.newBuilder()
        .setKey(ByteString.copyFromUtf8(json.get("key").getAsString()))
        .setValue(ByteString.copyFromUtf8(json.get("value").getAsString()))
        .setCreateRevision(json.get("create").getAsLong())
        .setModRevision(json.get("mod").getAsLong())
        .setVersion(json.get("version").getAsLong())
        .setLease(json.get("lease").getAsLong())
        .build();
  }
}
