package io.tidemark.server.http;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.tidemark.server.metrics.Total;
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
  private final MetricRegistry registry;
  private final Total successes;
  private final Total failures;

  /** Checks in the order in which they are listed. */
  private final Map<String, Supplier<CompletionStage<String>>> live = new LinkedHashMap<>();

  private final Map<String, Supplier<CompletionStage<String>>> ready = new LinkedHashMap<>();

  /**
   * The pages.
   *
   * @param registry counts what was answered
   */
  public HealthPages(HealthProbes probes, MetricRegistry registry) {
    this.probes = probes;
    this.registry = registry;
    successes = Total.in(registry, "etcd_server_health_success");
    failures = Total.in(registry, "etcd_server_health_failures");
    live.put("serializable_read", probes::serializableRead);
    ready.put("data_corruption", this::dataCorruption);
    ready.put("serializable_read", probes::serializableRead);
    ready.put("linearizable_read", probes::linearizableRead);
    ready.put("non_learner", this::nonLearner);
    live.keySet().forEach(name -> series("livez", name));
    ready.keySet().forEach(name -> series("readyz", name));
  }

  public void register(Pages pages) {
    pages
        .addGet("/health", this::health)
        .addGet("/livez", question -> checks(question, "livez", live))
        .addGet("/livez/", question -> single(question, "livez", live))
        .addGet("/readyz", question -> checks(question, "readyz", ready))
        .addGet("/readyz/", question -> single(question, "readyz", ready));
  }

  private CompletionStage<HttpAnswer> health(HttpQuestion question) {
    return judged(question)
        .thenApply(
            answer -> {
              (answer.status() == 200 ? successes : failures).inc();
              return answer;
            });
  }

  private CompletionStage<HttpAnswer> judged(HttpQuestion question) {
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

  private CompletionStage<HttpAnswer> single(
      HttpQuestion question, String type, Map<String, Supplier<CompletionStage<String>>> all) {
    String name = question.path().substring(type.length() + 2);
    Supplier<CompletionStage<String>> check = all.get(name);
    return check == null
        ? CompletableFuture.completedFuture(HttpAnswer.notFound())
        : checks(question, type, Map.of(name, check));
  }

  /** Runs the checks together and lists them in order. */
  private CompletionStage<HttpAnswer> checks(
      HttpQuestion question, String type, Map<String, Supplier<CompletionStage<String>>> all) {
    List<String> excluded = question.parameters("exclude");
    List<String> names = all.keySet().stream().filter(name -> !excluded.contains(name)).toList();
    CompletionStage<List<String>> errors = CompletableFuture.completedFuture(new ArrayList<>());
    for (Map.Entry<String, Supplier<CompletionStage<String>>> check : all.entrySet()) {
      if (names.contains(check.getKey())) {
        errors =
            errors.thenCombine(
                check.getValue().get(),
                (list, error) -> {
                  count(type, check.getKey(), error.isEmpty());
                  list.add(error);
                  return list;
                });
      }
    }
    return errors.thenApply(list -> report(names, list, question.flag("verbose")));
  }

  /** Makes the series of a check, with what they say before it has ever run. */
  private void series(String type, String name) {
    registry.gauge(labelled("etcd_server_healthcheck", type, name, ""), LastResult::new);
    total(type, name, true);
    total(type, name, false);
  }

  private void count(String type, String name, boolean success) {
    total(type, name, success).inc();
    if (registry.getMetrics().get(labelled("etcd_server_healthcheck", type, name, ""))
        instanceof LastResult last) {
      last.success = success;
    }
  }

  private Total total(String type, String name, boolean success) {
    String status = ",status=\"" + (success ? "success" : "error") + "\"";
    return Total.in(registry, labelled("etcd_server_healthchecks_total", type, name, status));
  }

  private static String labelled(String metric, String type, String name, String more) {
    return metric + "{type=\"" + type + "\",name=\"" + name + "\"" + more + "}";
  }

  /** Written by whoever completes a check, read by the metrics page. */
  private static final class LastResult implements Gauge<Integer> {
    private volatile boolean success;

    @Override
    public Integer getValue() {
      return success ? 1 : 0;
    }
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
