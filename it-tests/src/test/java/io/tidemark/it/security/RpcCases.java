package io.tidemark.it.security;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import java.util.ArrayList;
import java.util.List;

/** Every call that there is, who may make it, and how it ends for whoever may. */
final class RpcCases {
  static final String OK = "OK";

  /** A lease whose key is k, which the user with just enough may read and write. */
  static final long OURS = 7;

  private RpcCases() {}

  /** Who needs what, and how the call ends for whoever may make it. */
  enum Needs {
    NOTHING,
    SOUND_TOKEN,
    ANY_USER,
    KEYS,
    /** As keys, but these services answer every refusal with the code UNKNOWN. */
    RECIPE_KEYS,
    OWN,
    ROOT
  }

  record Case(
      String name,
      MethodDescriptor<? extends MessageLite, ?> method,
      MessageLite request,
      Needs needs,
      String allowed) {}

  static String text(EtcdError error) {
    return Status.fromCodeValue(error.code()).getCode() + " " + error.message();
  }

  static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  /**
   * All of them, as the leader answers.
   *
   * @param peerUrl one that is taken
   */
  static List<Case> all(String peerUrl) {
    List<Case> cases = new ArrayList<>();
    cases.addAll(KeyCases.all());
    cases.addAll(MemberCases.all(peerUrl));
    cases.addAll(MemberCases.console());
    cases.addAll(UserCases.all());
    return cases;
  }
}
