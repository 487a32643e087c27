package io.tidemark.it.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.it.verdict.Recording;
import io.tidemark.judge.Violation;
import java.util.List;

/** A run's result for programs. */
public final class JsonResult {
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  private JsonResult() {}

  /**
   * The result as JSON: {@code verdict} with all counts, {@code costs} by kind of fault in
   * milliseconds, {@code violations} in full.
   *
   * @param verdict a record of numbers
   */
  public static String of(
      Recording recording, List<Violation> violations, boolean passed, Record verdict) {
    JsonObject result = new JsonObject();
    result.addProperty("passed", passed);
    result.add("verdict", GSON.toJsonTree(verdict));
    JsonArray costs = new JsonArray();
    FaultTable.of(recording).forEach(row -> costs.add(GSON.toJsonTree(row)));
    result.add("costs", costs);
    JsonArray wrong = new JsonArray();
    for (Violation violation : violations) {
      JsonObject one = new JsonObject();
      one.addProperty("kind", violation.kind().name());
      one.addProperty("detail", violation.detail());
      one.addProperty("key", violation.key());
      one.addProperty("revision", violation.revision());
      JsonArray excerpt = new JsonArray();
      Excerpt.of(recording, violation).forEach(excerpt::add);
      one.add("excerpt", excerpt);
      wrong.add(one);
    }
    result.add("violations", wrong);
    return GSON.toJson(result) + "\n";
  }
}
