package io.tidemark.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a member's files tell from outside, while it runs or after it died. Read-only; whatever
 * moves during a look counts as not there.
 */
public final class DataDirectory {
  private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

  private final Path raft;
  private final Path stores;

  private DataDirectory(Path member) {
    this.raft = member.resolve("raft");
    this.stores = member.resolve("kv");
  }

  /** The directory of one member. */
  public static DataDirectory of(ProcessCluster cluster, int member) {
    return new DataDirectory(cluster.member(member).spec().dataDir().resolve("member"));
  }

  /** Number of the live store. A member replaces its store only when it takes in a snapshot. */
  public int liveStore() {
    try {
      return storeNumber(Files.readString(stores.resolve("CURRENT"), StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The highest number of a store that is there, live or in the making; 0 when there is none. */
  public int newestStore() {
    return names(stores).stream()
        .filter(name -> name.startsWith("store-"))
        .mapToInt(DataDirectory::storeNumber)
        .max()
        .orElse(0);
  }

  /** What the log still begins with; what is older the member has only as a snapshot. */
  public long oldestLogEntry() {
    try (Stream<Path> files = Files.walk(raft)) {
      return files
          .map(file -> SEGMENT.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(segment -> Long.parseLong(segment.group(1)))
          .min()
          .orElseThrow();
    } catch (IOException | UncheckedIOException purging) {
      return 0;
    }
  }

  /** Whether files of a snapshot from another member have begun to come. */
  public boolean isReceiving() {
    return names(raft).stream().anyMatch(group -> !names(raft.resolve(group + "/tmp")).isEmpty());
  }

  /** Names of the snapshots that are whole, the member's own or another's. */
  public List<String> snapshots() {
    return names(raft).stream()
        .flatMap(group -> names(raft.resolve(group + "/sm")).stream())
        .toList();
  }

  private static int storeNumber(String name) {
    return Integer.parseInt(name.trim().substring(name.indexOf('-') + 1));
  }

  private static List<String> names(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException | UncheckedIOException moving) {
      return List.of();
    }
  }
}
