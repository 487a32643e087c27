package io.tidemark.statemachine.member;

import io.tidemark.api.etcdserverpb.Member;
import java.util.List;

/**
 * A change of the members. Carries the settings of the member that took the request, so that all
 * decide alike.
 */
public sealed interface MemberChange {
  /** Calls the one method of {@code cases} that belongs to this change. */
  <R> R on(Cases<R> cases);

  /** One method for each kind of change. */
  interface Cases<R> {
    R add(Add add);

    R remove(Remove remove);

    R update(Update update);

    R promote(Promote promote);
  }

  /**
   * A new member, which hasn't started yet.
   *
   * @param member id, peer URLs, and whether it is a learner; nothing else
   * @param strict refuse what could lose the quorum
   * @param learnersMax how many learners there may be with this one
   */
  record Add(Member member, boolean strict, int learnersMax) implements MemberChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.add(this);
    }
  }

  /**
   * A member that belongs to the cluster no more, whose id never comes back.
   *
   * @param strict refuse what could lose the quorum
   */
  record Remove(long id, boolean strict) implements MemberChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.remove(this);
    }
  }

  /**
   * A member that listens elsewhere.
   *
   * @param peerUrls all of its peer URLs, taken as they are
   */
  record Update(long id, List<String> peerUrls) implements MemberChange {
    public Update {
      peerUrls = List.copyOf(peerUrls);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.update(this);
    }
  }

  /**
   * A learner that gets a vote.
   *
   * @param strict refuse what could lose the quorum
   */
  record Promote(long id, boolean strict) implements MemberChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.promote(this);
    }
  }
}
