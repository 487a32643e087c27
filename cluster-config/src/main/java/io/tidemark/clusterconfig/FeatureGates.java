package io.tidemark.clusterconfig;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code --feature-gates}: some of etcd's ask for what a flag asks for here, the others switch what
 * isn't built in this way. They are named, so that one that is misspelled is refused.
 */
final class FeatureGates {
  private static final Map<String, String> FLAGS =
      Map.of(
          "InitialCorruptCheck", "initial-corrupt-check",
          "CompactHashCheck", "compact-hash-check-enabled");

  private static final Set<String> OTHERS =
      Set.of(
          "StopGRPCServiceOnDefrag",
          "LeaseCheckpoint",
          "LeaseCheckpointPersist",
          "SetMemberLocalAddr",
          "PriorityRequest",
          "TxnModeWriteWithSharedBuffer",
          "FastLeaseKeepAlive");

  private final Settings settings;
  private final Map<String, Boolean> byFlag = new HashMap<>();

  private FeatureGates(Settings settings) {
    this.settings = settings;
  }

  /** Adds to the problems and warnings of the settings. */
  static FeatureGates read(Settings settings) {
    FeatureGates gates = new FeatureGates(settings);
    settings.list("feature-gates").forEach(gates::add);
    return gates;
  }

  private void add(String gate) {
    int equals = gate.indexOf('=');
    Optional<Boolean> on =
        equals < 0 ? Optional.empty() : Settings.truth(gate.substring(equals + 1).trim());
    if (on.isEmpty()) {
      settings.invalid("feature-gates", "missing bool value for " + gate);
      return;
    }
    String name = gate.substring(0, equals).trim();
    String flag = FLAGS.get(name);
    if (flag != null) {
      byFlag.put(flag, on.get());
    } else if (OTHERS.contains(name)) {
      settings.warn("feature gate " + name + " is accepted but has no effect");
    } else {
      settings.invalid("feature-gates", "unrecognized feature gate: " + name);
    }
  }

  /** The value of a flag that a gate may set in its place. */
  boolean orFlag(String flag) {
    Boolean gate = byFlag.get(flag);
    if (gate == null) {
      return settings.bool(flag);
    }
    if (settings.isSet(flag)) {
      settings.problem("cannot specify both --feature-gates and --" + flag);
    }
    return gate;
  }
}
