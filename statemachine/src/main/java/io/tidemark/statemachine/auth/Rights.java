package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.Role;
import java.util.ArrayList;
import java.util.List;

/** What all roles of one user allow together. Immutable. */
record Rights(Coverage read, Coverage write) {
  static Rights of(Iterable<Role> roles) {
    List<Coverage.Span> read = new ArrayList<>();
    List<Coverage.Span> write = new ArrayList<>();
    for (Role role : roles) {
      for (Permission permission : role.getKeyPermissionList()) {
        Coverage.Span span = Coverage.Span.of(permission.getKey(), permission.getRangeEnd());
        switch (permission.getPermType()) {
          case READ -> read.add(span);
          case WRITE -> write.add(span);
          case READWRITE -> {
            read.add(span);
            write.add(span);
          }
          case UNRECOGNIZED -> {} // allows nothing, as in etcd
        }
      }
    }
    return new Rights(Coverage.of(read), Coverage.of(write));
  }

  boolean mayRead(ByteString key, ByteString rangeEnd) {
    return read.covers(key, rangeEnd);
  }

  boolean mayWrite(ByteString key, ByteString rangeEnd) {
    return write.covers(key, rangeEnd);
  }
}
