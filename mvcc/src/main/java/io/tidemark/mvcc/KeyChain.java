package io.tidemark.mvcc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key inside an entry: its version before the entry and those the entry has made, ascending. */
final class KeyChain {
  private final @Nullable Version base;
  private final List<Version> made = new ArrayList<>(1);

  KeyChain(@Nullable Version base) {
    this.base = base;
  }

  @Nullable Version base() {
    return base;
  }

  void add(Version version) {
    made.add(version);
  }

  /** The newest version, null if there is none or the key is deleted. */
  @Nullable Version newest() {
    return visibleAt(Long.MAX_VALUE);
  }

  @Nullable Version visibleAt(long revision) {
    for (int i = made.size() - 1; i >= 0; i--) {
      Version version = made.get(i);
      if (version.mod() <= revision) {
        return version.tombstone() ? null : version;
      }
    }
    return base;
  }

  /** Whether the entry has made a version at or below {@code revision}. */
  boolean changedBy(long revision) {
    return !made.isEmpty() && made.get(0).mod() <= revision;
  }

  /** Whether the entry has made a version exactly at {@code revision}, its newest one so far. */
  boolean changedIn(long revision) {
    return !made.isEmpty() && made.get(made.size() - 1).mod() == revision;
  }
}
