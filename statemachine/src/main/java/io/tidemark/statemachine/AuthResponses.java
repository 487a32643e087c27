package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AuthenticateResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.statemachine.auth.AuthChange;
import io.tidemark.statemachine.kv.ResponseBytes;

/** Serialized responses to changes of users and roles: a header, and for a login its token. */
final class AuthResponses {
  private AuthResponses() {}

  static ByteString of(AuthChange change, long revision, String token) {
    if (!(change instanceof AuthChange.IssueToken)) {
      return ResponseBytes.headerOnly(revision);
    }
    return AuthenticateResponse.newBuilder()
        .setHeader(ResponseHeader.newBuilder().setRevision(revision))
        .setToken(token)
        .build()
        .toByteString();
  }
}
