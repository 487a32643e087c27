package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an entry over the store as it was before it. Thread: apply.
 *
 * <p>At a revision the store already had, the store answers. Above that the entry's own versions
 * win over the store's newest ones.
 */
final class EntryOverlay implements RevisionSource {
  /** Resolved revision that sees the running command's own writes. */
  static final long NOW = Long.MAX_VALUE;

  private final StoreReader base;
  private final Map<ByteString, KeyChain> known = new HashMap<>();
  private final NavigableMap<ByteString, KeyChain> changed =
      new TreeMap<>(ByteString.unsignedLexicographicalComparator());
  private long revision;
  private long compactRevision;

  EntryOverlay(StoreReader base) {
    this.base = base;
    this.revision = base.state().revision();
    this.compactRevision = base.state().compactRevision();
  }

  void prefetch(Collection<ByteString> keys) {
    List<ByteString> missing =
        keys.stream().distinct().filter(key -> !known.containsKey(key)).sorted(order()).toList();
    if (missing.isEmpty()) {
      return;
    }
    List<byte[]> stored = missing.stream().map(ByteString::toByteArray).toList();
    List<byte @Nullable []> rows = base.engine().multiGet(Family.CUR, stored);
    for (int i = 0; i < rows.size(); i++) {
      byte[] row = rows.get(i);
      known.put(missing.get(i), new KeyChain(row == null ? null : Version.fromCur(row)));
    }
  }

  KeyChain chain(ByteString key) {
    KeyChain chain = known.get(key);
    if (chain == null) {
      chain = new KeyChain(base.find(key, NOW));
      known.put(key, chain);
    }
    return chain;
  }

  void add(ByteString key, KeyChain chain, Version version) {
    chain.add(version);
    changed.put(key, chain);
  }

  NavigableMap<ByteString, KeyChain> changed() {
    return changed;
  }

  long revision() {
    return revision;
  }

  void nextRevision() {
    revision++;
  }

  long compactRevision() {
    return compactRevision;
  }

  void compact(long newCompactRevision) {
    compactRevision = newCompactRevision;
  }

  @Override
  public long resolve(long asked) {
    if (asked <= 0) {
      return NOW;
    }
    if (asked > revision) {
      throw new FutureRevisionException(asked, revision);
    }
    if (asked < compactRevision) {
      throw new CompactedException(asked, compactRevision);
    }
    return asked;
  }

  @Override
  public @Nullable Version find(ByteString key, long resolved) {
    return inBase(resolved) ? base.find(key, resolved) : chain(key).visibleAt(resolved);
  }

  @Override
  public VisibleCursor cursor(KeyRange range, long resolved) {
    if (range.isSingle()) {
      return new PointCursor(range.key(), find(range.key(), resolved));
    }
    VisibleCursor stored = base.cursor(range, Math.min(resolved, base.state().revision()));
    Map<ByteString, KeyChain> own = inBase(resolved) ? Map.of() : ownIn(range);
    return own.isEmpty() ? stored : new OverlayCursor(stored, own, resolved);
  }

  @Override
  public long count(KeyRange range, long resolved) {
    if (range.isEmpty()) {
      return 0;
    }
    if (range.isSingle()) {
      return find(range.key(), resolved) == null ? 0 : 1;
    }
    long count = base.count(range, Math.min(resolved, base.state().revision()));
    if (inBase(resolved)) {
      return count;
    }
    Iterator<KeyChain> chains = ownIn(range).values().iterator();
    while (chains.hasNext()) {
      KeyChain chain = chains.next();
      count += (chain.visibleAt(resolved) == null ? 0 : 1) - (chain.base() == null ? 0 : 1);
    }
    return count;
  }

  private boolean inBase(long resolved) {
    return resolved <= base.state().revision();
  }

  private Map<ByteString, KeyChain> ownIn(KeyRange range) {
    return range.isUnbounded()
        ? changed.tailMap(range.key(), true)
        : changed.subMap(range.key(), true, range.rangeEnd(), false);
  }

  private static java.util.Comparator<ByteString> order() {
    return ByteString.unsignedLexicographicalComparator();
  }
}
