package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.snapshot.DurableFile;
import io.tidemark.raftcore.snapshot.StoreHome;
import io.tidemark.statemachine.Genesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The data directory of a founder that begins with a filled store and an empty log.
 *
 * <p>Every founder needs an equal store, at a position above the one of a new store. A founder
 * without it is sent a snapshot of it, as any member that is too far behind. Blocks on the disk.
 */
public final class FoundingStore {
  private static final String BUILDING = "member.restoring";

  private FoundingStore() {}

  /**
   * Fills a store.
   *
   * @param <T> what there is to tell about it
   */
  @FunctionalInterface
  public interface Filler<T> {
    /**
     * Makes the store in an absent directory, whole and durable, the genesis in it.
     *
     * @throws IOException if there is no store to be had
     */
    T fill(Path store, Genesis genesis) throws IOException;
  }

  /**
   * Lays out a member's data directory. It appears at once and whole; what an interrupted attempt
   * left is begun again.
   *
   * @return what the filler returned
   * @throws IOException if the directory holds a member already, or the store can't be filled
   */
  public static <T> T layOut(RaftMemberSettings settings, Filler<T> filler) throws IOException {
    Path data = settings.dataDirectory();
    Path member = data.resolve("member");
    if (Files.exists(member)) {
      throw new IOException(member + " is there already");
    }
    Path building = data.resolve(BUILDING);
    Path store = StoreHome.layOut(building.resolve("kv"));
    DirectoryOwner.mark(building, settings); // and closes it to others
    T told = filler.fill(store, MemberCore.genesis(settings));
    Files.move(building, member, StandardCopyOption.ATOMIC_MOVE);
    DurableFile.syncEntries(data);
    return told;
  }
}
