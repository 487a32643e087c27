package io.tidemark.raftcore.snapshot;

import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.raftcore.faultpoint.FaultPoint;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the live store lives: {@code <home>/store-<n>}, the one that the file {@code CURRENT}
 * names.
 *
 * <p>A snapshot is brought in beside the live store and made durable before {@code CURRENT} is
 * moved over to it, so that a crash leaves either the one or the other. Thread: start-up, then
 * apply; {@link #deleteRetired} any thread.
 */
public final class StoreHome {
  private static final Logger LOG = LoggerFactory.getLogger(StoreHome.class);
  private static final String CURRENT = "CURRENT";
  private static final String STORE = "store-";

  private final Path home;
  private final Path snapshots;
  private final MvccLimits limits;
  private final String member;

  /**
   * A home that isn't opened yet.
   *
   * @param snapshots where Ratis puts snapshots that it received
   */
  public StoreHome(Path home, Path snapshots, MvccLimits limits, String member) {
    this.home = home;
    this.snapshots = snapshots;
    this.limits = limits;
    this.member = member;
  }

  /**
   * Makes a home for a store that is filled before anybody opens it; what is there goes.
   *
   * @return where the store belongs, not there yet
   */
  public static Path layOut(Path home) throws IOException {
    SnapshotFiles.delete(home);
    Files.createDirectories(home);
    point(home, 1);
    return home.resolve(STORE + 1);
  }

  /** Opens the live store; brings in a received snapshot first if it is newer. */
  public MvccStore open() {
    try {
      Files.createDirectories(home);
      if (!Files.exists(home.resolve(CURRENT))) {
        refuseStores();
        point(1);
      }
      long live = number(current());
      delete(other -> other != live); // retired ones, and copies that a crash left unfinished
      MvccStore store = MvccStore.open(current(), limits, member);
      List<SnapshotFiles.Found> received = SnapshotFiles.list(snapshots);
      if (received.isEmpty() || received.get(0).position().index() <= store.applied().index()) {
        return store;
      }
      LOG.info("{}: bringing in snapshot {}", member, received.get(0).directory());
      store.close();
      store.released().join();
      MvccStore fresh = replaceBy(received.get(0).directory());
      deleteRetired();
      return fresh;
    } catch (IOException e) {
      throw new UncheckedIOException("opening the store in " + home, e);
    }
  }

  /** Opens a copy of a snapshot as the live store; the old one's files stay until retired. */
  public MvccStore replaceBy(Path snapshot) {
    try {
      long next = number(current()) + 1;
      Path target = home.resolve(STORE + next);
      SnapshotFiles.delete(target);
      SnapshotFiles.copy(snapshot, target);
      // Opened first: a copy that can't be is never the live store.
      MvccStore store = MvccStore.open(target, limits, member);
      FaultPoint.BEFORE_APPLY_SNAPSHOT.hit();
      point(next);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException("bringing in snapshot " + snapshot, e);
    }
  }

  /** Deletes the files of stores that are no longer live. */
  public void deleteRetired() {
    try {
      long live = number(current());
      delete(other -> other < live); // a newer one may be in the making
    } catch (IOException e) {
      LOG.warn("{}: old store files stay in {}", member, home, e);
    }
  }

  /** Which of them was the live one can't be known, and a wrong guess would delete it. */
  private void refuseStores() throws IOException {
    try (Stream<Path> children = Files.list(home)) {
      List<Path> stores =
          children.filter(c -> c.getFileName().toString().startsWith(STORE)).sorted().toList();
      if (!stores.isEmpty()) {
        throw new FileNotFoundException(
            "there are stores "
                + stores
                + ", but no file "
                + home.resolve(CURRENT)
                + " that says which one is live");
      }
    }
  }

  private void delete(LongPredicate dispensable) throws IOException {
    try (Stream<Path> children = Files.list(home)) {
      for (Path child : children.toList()) {
        if (child.getFileName().toString().startsWith(STORE) && dispensable.test(number(child))) {
          SnapshotFiles.delete(child);
        }
      }
    }
  }

  private Path current() throws IOException {
    return home.resolve(Files.readString(home.resolve(CURRENT), StandardCharsets.UTF_8).trim());
  }

  private static long number(Path store) {
    return Long.parseLong(store.getFileName().toString().substring(STORE.length()));
  }

  private void point(long number) throws IOException {
    point(home, number);
  }

  private static void point(Path home, long number) throws IOException {
    DurableFile.write(home.resolve(CURRENT), STORE + number + "\n");
  }
}
