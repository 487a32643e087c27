package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberAddResponse;
import io.tidemark.api.etcdserverpb.MemberPromoteResponse;
import io.tidemark.api.etcdserverpb.MemberRemoveResponse;
import io.tidemark.api.etcdserverpb.MemberUpdateResponse;
import io.tidemark.statemachine.member.MemberChange;
import java.util.List;

/**
 * Serialized responses of the Cluster service, without a header: theirs carries no revision.
 *
 * @param members all members after the change
 */
record MemberResponses(List<Member> members) implements MemberChange.Cases<ByteString> {
  @Override
  public ByteString add(MemberChange.Add add) {
    return MemberAddResponse.newBuilder()
        .setMember(add.member())
        .addAllMembers(members)
        .build()
        .toByteString();
  }

  @Override
  public ByteString remove(MemberChange.Remove remove) {
    return MemberRemoveResponse.newBuilder().addAllMembers(members).build().toByteString();
  }

  @Override
  public ByteString update(MemberChange.Update update) {
    return MemberUpdateResponse.newBuilder().addAllMembers(members).build().toByteString();
  }

  @Override
  public ByteString promote(MemberChange.Promote promote) {
    return MemberPromoteResponse.newBuilder().addAllMembers(members).build().toByteString();
  }
}
