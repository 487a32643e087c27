package io.tidemark.it.differential;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One seeded run, and what it found. */
final class DifferentialRun {
  /** Flags of both clusters: small limits, so that random requests meet them. */
  static final int TXN_OPS_MAX = 8;

  static final int REQUEST_BYTES_MAX = 16 * 1024;

  /** Later differences mostly follow from earlier ones. */
  private static final int SHOWN_MAX = 10;

  private static final int ALARM_EVERY = 1000;
  private static final int ALARM_LASTS = 50;

  private final Pair pair;
  private final Alarms alarms;
  private final World world;
  private final KvRequests kv;
  private final TxnRequests txns;
  private final LeaseRequests leases;
  private final FieldCounts fields =
      new FieldCounts(
          List.of(
              RangeRequest.getDescriptor(),
              PutRequest.getDescriptor(),
              DeleteRangeRequest.getDescriptor(),
              TxnRequest.getDescriptor(),
              CompactionRequest.getDescriptor(),
              LeaseGrantRequest.getDescriptor(),
              LeaseRevokeRequest.getDescriptor(),
              LeaseKeepAliveRequest.getDescriptor(),
              LeaseTimeToLiveRequest.getDescriptor(),
              LeaseLeasesRequest.getDescriptor()));
  private final Map<String, Integer> errors = new TreeMap<>();
  private final Map<Allowance, Integer> allowed = new EnumMap<>(Allowance.class);
  private final List<String> differences = new ArrayList<>();
  private int asked;
  private int notAsked;

  /** Raises and takes back an alarm in both clusters. */
  interface Alarms {
    void set(AlarmAction action, AlarmType type);
  }

  DifferentialRun(Pair pair, Alarms alarms, long seed) {
    this.pair = pair;
    this.alarms = alarms;
    this.world = new World(seed);
    this.kv = new KvRequests(world);
    this.txns = new TxnRequests(world, kv);
    this.leases = new LeaseRequests(world);
  }

  /** Asks so much; stops early after some differences. */
  void ask(int requests) {
    for (int i = 1; i <= requests && differences.size() < SHOWN_MAX; i++) {
      if (i % ALARM_EVERY == 0) {
        underAlarm((i / ALARM_EVERY) % 2 == 0 ? AlarmType.CORRUPT : AlarmType.NOSPACE);
      }
      if (world.percent(1)) {
        passingLease();
      }
      compare(next());
    }
  }

  private void underAlarm(AlarmType type) {
    alarms.set(AlarmAction.ACTIVATE, type);
    for (int i = 0; i < ALARM_LASTS; i++) {
      Ask ask = next();
      if (ask.putsOnlyInside()) {
        notAsked++;
      } else {
        compare(ask);
      }
    }
    alarms.set(AlarmAction.DEACTIVATE, type);
  }

  /**
   * Leases that end by themselves, or whose id the cluster chooses, are gone before the next
   * request.
   */
  private void passingLease() {
    boolean chosen = world.percent(50);
    LeaseGrantRequest grant =
        LeaseGrantRequest.newBuilder()
            .setID(chosen ? 0 : 1 + world.below(5))
            .setTTL(world.below(7) - 3L)
            .build();
    Pair.Replies replies = compare(new Ask(Call.LEASE_GRANT, grant));
    if (replies.etcd().isOk() && replies.ours().isOk()) {
      pair.revoke(replies);
    }
  }

  /** Reads the whole key space at every revision that can be read, at most so many. */
  void readAll(int revisions) {
    long newest = world.current();
    long oldest = Math.max(Math.max(1, world.compacted()), newest - revisions);
    for (long revision = oldest; revision <= newest; revision++) {
      RangeRequest all =
          RangeRequest.newBuilder()
              .setKey(World.OPEN_END)
              .setRangeEnd(World.OPEN_END)
              .setRevision(revision)
              .build();
      compare(new Ask(Call.RANGE, all));
    }
  }

  private Ask next() {
    int draw = world.below(1000);
    if (draw < 250) {
      return new Ask(Call.RANGE, kv.range());
    }
    if (draw < 450) {
      return new Ask(Call.PUT, kv.put());
    }
    if (draw < 550) {
      return new Ask(Call.DELETE_RANGE, kv.deleteRange());
    }
    if (draw < 840) {
      return new Ask(Call.TXN, txns.txn());
    }
    if (draw < 870) {
      return new Ask(Call.COMPACT, kv.compact());
    }
    if (draw < 874) {
      return new Ask(Call.RANGE, kv.strangelyOrdered());
    }
    return draw < 878 ? new Ask(Call.PUT, kv.tooLarge()) : leases.any();
  }

  @CanIgnoreReturnValue
  private Pair.Replies compare(Ask ask) {
    asked++;
    fields.add(ask.request());
    Pair.Replies replies = pair.ask(ask, world.below(pair.size()));
    world.learn(ask, replies.etcd());
    if (!replies.ours().isOk()) {
      errors.merge(replies.ours().code() + " " + replies.ours().text(), 1, Integer::sum);
    }
    if (replies.agree(ask)) {
      return replies;
    }
    Optional<Allowance> allowance = Allowance.of(ask, replies.etcd(), replies.ours());
    if (allowance.isPresent()) {
      allowed.merge(allowance.get(), 1, Integer::sum);
    } else {
      differences.add(
          "request %d, revision %d, compacted %d: %s%n  etcd %s%n  ours %s"
              .formatted(
                  asked,
                  world.current(),
                  world.compacted(),
                  ask,
                  replies.etcd().shown(ask.call()),
                  replies.ours().shown(ask.call())));
    }
    return replies;
  }

  /** The newest revision of both. */
  long revision() {
    return world.current();
  }

  /** What differs without an allowance. */
  List<String> differences() {
    return List.copyOf(differences);
  }

  /** Fields that requests used less often than this. */
  List<String> rareFields(int least) {
    return fields.rarerThan(least);
  }

  /** Of these errors, those seen less often than this. */
  List<String> rareErrors(List<EtcdError> expected, int least) {
    return expected.stream()
        .filter(error -> errors.getOrDefault(text(error), 0) < least)
        .map(error -> error + "=" + errors.getOrDefault(text(error), 0))
        .toList();
  }

  private static String text(EtcdError error) {
    return Status.fromCodeValue(error.code()).getCode() + " " + error.message();
  }

  /** Everything counted, for the log. */
  String report() {
    StringBuilder report = new StringBuilder();
    report.append(asked).append(" requests, revision ").append(world.current()).append('\n');
    new TreeMap<>(fields.byField())
        .forEach(
            (field, count) ->
                report.append("  field   ").append(count).append(' ').append(field).append('\n'));
    errors.forEach(
        (error, count) ->
            report.append("  error   ").append(count).append(' ').append(error).append('\n'));
    for (Allowance allowance : Allowance.values()) {
      report
          .append("  allowed ")
          .append(allowed.getOrDefault(allowance, 0))
          .append(' ')
          .append(allowance)
          .append('\n');
    }
    report.append("  not asked, nested puts without space: ").append(notAsked).append('\n');
    differences.forEach(difference -> report.append("  differs ").append(difference).append('\n'));
    return report.toString();
  }
}
