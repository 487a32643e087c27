package io.tidemark.it.verdict;

import com.google.gson.JsonObject;
import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.nemesis.Step;
import java.time.Duration;

/** Faults as JSON objects. */
final class FaultJson {
  private FaultJson() {}

  static JsonObject of(FaultRecord fault) {
    JsonObject json = new JsonObject();
    json.addProperty("number", fault.step().number());
    json.addProperty("kind", fault.step().kind().text());
    json.addProperty("role", fault.step().role().name());
    json.addProperty("holdMillis", fault.step().hold().toMillis());
    json.addProperty("seed", fault.step().seed());
    json.addProperty("members", fault.members());
    json.addProperty("began", fault.beganNanos());
    json.addProperty("healed", fault.healedNanos());
    json.addProperty("ready", fault.readyNanos());
    json.addProperty("detectMillis", fault.detectMillis());
    json.addProperty("proof", fault.proof());
    return json;
  }

  static FaultRecord read(JsonObject json) {
    Step step =
        new Step(
            json.get("number").getAsInt(),
            FaultKind.of(json.get("kind").getAsString()),
            Step.Role.valueOf(json.get("role").getAsString()),
            Duration.ofMillis(json.get("holdMillis").getAsLong()),
            json.get("seed").getAsLong());
    return new FaultRecord(
        step,
        json.get("members").getAsString(),
        json.get("began").getAsLong(),
        json.get("healed").getAsLong(),
        json.get("ready").getAsLong(),
        json.get("detectMillis").getAsLong(),
        json.get("proof").getAsString());
  }
}
