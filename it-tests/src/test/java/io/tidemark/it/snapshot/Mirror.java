package io.tidemark.it.snapshot;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.rig.ProcessCluster;

/** Files that a client keeps in step with a watch on one member, from revision 1 on. */
interface Mirror extends AutoCloseable {
  /** Stops watching. */
  @Override
  void close();

  /** What it has so far. */
  MirroredFiles mirrored();

  /** The clients that can do it. */
  enum Kind {
    /** Ours: a raw stub that resumes by itself. */
    STUB {
      @Override
      Mirror on(ProcessCluster cluster, int member, String prefix) {
        MemberClient client = cluster.client(member);
        return StubMirror.of(client, prefix);
      }
    },
    /** jetcd's Watch, which resumes in its own way. */
    JETCD {
      @Override
      Mirror on(ProcessCluster cluster, int member, String prefix) {
        return JetcdMirror.of(cluster.endpoint(member), prefix);
      }
    };

    /** Starts watching a member at once. */
    abstract Mirror on(ProcessCluster cluster, int member, String prefix);
  }
}
