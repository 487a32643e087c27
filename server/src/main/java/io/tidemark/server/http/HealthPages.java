package io.tidemark.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** {@code /health}, {@code /livez} and {@code /readyz}, with the bodies that etcd gives. */
public final class HealthPages {
  private static final String OK = "";

  private final HealthProbes probes;

  /** Checks in the order in which they are listed. */
  private final Map<String, Supplier<CompletionStage<String>>> live = new LinkedHashMap<>();

  private final Map<String, Supplier<CompletionStage<String>>> ready = new LinkedHashMap<>();

  public HealthPages(HealthProbes probes) {
    this.probes = probes;
    live.put("serializable_read", probes::serializableRead);
    ready.put("data_corruption", this::dataCorruption);
    ready.put("serializable_read", probes::serializableRead);
    ready.put("linearizable_read", probes::linearizableRead);
    ready.put("non_learner", this::nonLearner);
  }

  public void register(Pages pages) {
    pages
        .addGet("/health", this::health)
        .addGet("/livez", question -> checks(question, live))
        .addGet("/livez/", question -> single(question, "/livez/", live))
        .addGet("/readyz", question -> checks(question, ready))
        .addGet("/readyz/", question -> single(question, "/readyz/", ready));
  }

  private CompletionStage<HttpAnswer> health(HttpQuestion question) {
    List<String> excluded = question.parameters("exclude");
    for (String alarm : probes.alarms()) {
      if (!excluded.contains(alarm)) {
        return CompletableFuture.completedFuture(unhealthy("ALARM " + alarm));
      }
    }
    boolean local = question.flag("serializable");
    if (!local && !probes.hasLeader()) {
      return CompletableFuture.completedFuture(unhealthy("RAFT NO LEADER"));
    }
    return (local ? probes.serializableRead() : probes.linearizableRead())
        .thenApply(
            error ->
                error.isEmpty()
                    ? HttpAnswer.json(200, "{\"health\":\"true\",\"reason\":\"\"}")
                    : unhealthy("RANGE ERROR:" + error));
  }

  private static HttpAnswer unhealthy(String reason) {
    return HttpAnswer.json(503, "{\"health\":\"false\",\"reason\":\"" + reason + "\"}");
  }

  private CompletionStage<String> dataCorruption() {
    return CompletableFuture.completedFuture(
        probes.alarms().contains("CORRUPT") ? "alarm activated: CORRUPT" : OK);
  }

  private CompletionStage<String> nonLearner() {
    return CompletableFuture.completedFuture(probes.isVoter() ? OK : "local node is a learner");
  }

  private static CompletionStage<HttpAnswer> single(
      HttpQuestion question, String prefix, Map<String, Supplier<CompletionStage<String>>> all) {
    String name = question.path().substring(prefix.length());
    Supplier<CompletionStage<String>> check = all.get(name);
    return check == null
        ? CompletableFuture.completedFuture(HttpAnswer.notFound())
        : checks(question, Map.of(name, check));
  }

  /** Runs the checks together and lists them in order. */
  private static CompletionStage<HttpAnswer> checks(
      HttpQuestion question, Map<String, Supplier<CompletionStage<String>>> all) {
    List<String> excluded = question.parameters("exclude");
    List<String> names = all.keySet().stream().filter(name -> !excluded.contains(name)).toList();
    CompletionStage<List<String>> errors = CompletableFuture.completedFuture(new ArrayList<>());
    for (Map.Entry<String, Supplier<CompletionStage<String>>> check : all.entrySet()) {
      if (names.contains(check.getKey())) {
        errors =
            errors.thenCombine(
                check.getValue().get(),
                (list, error) -> {
                  list.add(error);
                  return list;
                });
      }
    }
    return errors.thenApply(list -> report(names, list, question.flag("verbose")));
  }

  private static HttpAnswer report(List<String> names, List<String> errors, boolean verbose) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String error = errors.get(i);
      lines.append(
          error.isEmpty()
              ? "[+]" + names.get(i) + " ok\n"
              : "[-]" + names.get(i) + " failed: " + error + "\n");
    }
    if (errors.stream().allMatch(String::isEmpty)) {
      return HttpAnswer.text(200, verbose ? lines + "ok\n" : "ok\n");
    }
    return HttpAnswer.text(503, lines.toString());
  }
}
