package io.tidemark.raftcore.upkeep;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What different hashes of the same say about members.
 *
 * @param corrupt the members outside the majority, ascending; 0 alone if there is no majority that
 *     agrees
 */
record Verdict(List<Long> corrupt) {
  /** In doubt about who is right, all are meant. */
  private static final long EVERYBODY = 0;

  Verdict {
    corrupt = List.copyOf(corrupt);
  }

  /**
   * Judges.
   *
   * @param hashes of those that gave one, ascending by id
   * @param members how many there are
   */
  static Verdict of(Map<Long, Integer> hashes, int members) {
    Map<Integer, List<Long>> camps = new HashMap<>();
    hashes.forEach((id, hash) -> camps.computeIfAbsent(hash, any -> new ArrayList<>()).add(id));
    if (camps.size() <= 1) {
      return new Verdict(List.of());
    }
    int majority = members / 2 + 1;
    for (List<Long> camp : camps.values()) {
      if (camp.size() >= majority) {
        return new Verdict(
            hashes.keySet().stream().filter(id -> !camp.contains(id)).sorted().toList());
      }
    }
    return new Verdict(List.of(EVERYBODY));
  }
}
