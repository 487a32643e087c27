package io.tidemark.it.differential;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A real etcd and a cluster of ours, asked the same at the same time.
 *
 * <p>Of ours any member is asked; a question that it answers from what it has goes to the one that
 * is known to have everything.
 */
final class Pair {
  /** Seconds that one cluster may be slower than the other, and one for rounding. */
  private static final long TTL_TOLERANCE_SECONDS = 3;

  private final RawMember etcd;
  private final List<RawMember> ours;
  private int upToDate;

  Pair(RawMember etcd, List<RawMember> ours) {
    this.etcd = etcd;
    this.ours = List.copyOf(ours);
  }

  /** Both answers. */
  record Replies(Reply etcd, Reply ours) {
    /** Whether they are the same as far as two clusters' answers can be. */
    boolean agree(Ask ask) {
      Call call = ask.call();
      boolean chosenId =
          ask.request() instanceof LeaseGrantRequest grant && grant.getID() == 0 && ours.isOk();
      return Normalized.of(call, chosenId ? withoutId(etcd) : etcd)
              .equals(Normalized.of(call, chosenId ? withoutId(ours) : ours))
          && (call != Call.LEASE_TIME_TO_LIVE
              || Math.abs(ttl(etcd) - ttl(ours)) <= TTL_TOLERANCE_SECONDS);
    }

    private static Reply withoutId(Reply granted) {
      return granted.isOk()
          ? granted.with(List.of(grant(granted).toBuilder().clearID().build().toByteString()))
          : granted;
    }

    private static long ttl(Reply reply) {
      try {
        return reply.isOk()
            ? LeaseTimeToLiveResponse.parseFrom(reply.messages().get(0)).getTTL()
            : 0;
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
  }

  int size() {
    return ours.size();
  }

  /** Revokes in each cluster the lease that it has just granted. */
  void revoke(Replies granted) {
    revoke(etcd, granted.etcd());
    revoke(ours.get(upToDate), granted.ours());
  }

  private static void revoke(RawMember member, Reply granted) {
    LeaseRevokeRequest request =
        LeaseRevokeRequest.newBuilder().setID(grant(granted).getID()).build();
    Reply revoked = member.ask(new Ask(Call.LEASE_REVOKE, request)).join();
    if (!revoked.isOk()) {
      throw new AssertionError("a fresh lease cannot be revoked: " + revoked);
    }
  }

  private static LeaseGrantResponse grant(Reply granted) {
    try {
      return LeaseGrantResponse.parseFrom(granted.messages().get(0));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** Asks both; of ours the given member, unless another one has to answer. */
  Replies ask(Ask ask, int member) {
    int asked = ask.isLocal() ? upToDate : member;
    CompletableFuture<Reply> theirs = etcd.ask(ask);
    Reply our = ours.get(asked).ask(ask).join();
    if (our.isOk() && !ask.isLocal()) {
      upToDate = asked;
    }
    return new Replies(theirs.join(), our);
  }
}
