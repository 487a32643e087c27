package io.tidemark.raftcore.ratis;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.statemachine.read.MemberTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.protocol.RaftPeer;

/** Who is in the group when a member starts, before its log says so. Pure. */
final class StartingGroup {
  private StartingGroup() {}

  /**
   * Founders begin together; whoever joins begins with nobody, and doesn't campaign. Ratis keeps
   * the first address that it hears of a peer, so these lead to this member's own book.
   */
  static List<RaftPeer> peers(RaftMemberSettings settings, AddressBook addresses) {
    if (!settings.founds()) {
      return List.of();
    }
    List<RaftPeer> peers = new ArrayList<>();
    for (PeerMember founder : settings.founders()) {
      String founderId = RatisNode.peerId(founder.id());
      peers.add(
          RaftPeer.newBuilder().setId(founderId).setAddress(addresses.target(founderId)).build());
    }
    return peers;
  }

  /** Whether there is no other voter to wait for at the start. */
  static boolean alone(RaftMemberSettings settings, Replica replica) {
    try (ReadView view = replica.view()) {
      List<Member> members = MemberTable.members(view);
      return members.isEmpty()
          ? settings.founds() && settings.founders().size() == 1
          : members.stream().allMatch(m -> m.getIsLearner() || m.getID() == settings.memberId());
    }
  }
}
