package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.User;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether one caller may do something under one state. Each method gives the reason why not, in
 * etcd's order (contract section 2.14), or null. Any one thread.
 *
 * <p>Nobody needs a right while the state isn't enabled. A right on keys also needs credentials
 * accepted under this very state; the root role needs only to be held now.
 */
public final class Permissions {
  private final AuthState state;
  private final Caller caller;
  private final AttachedKeys attached;

  public Permissions(AuthState state, Caller caller, AttachedKeys attached) {
    this.state = state;
    this.caller = caller;
    this.attached = attached;
  }

  /** Any user will do. */
  public @Nullable EtcdError known() {
    return state.enabled() && caller.isAnonymous() ? EtcdError.USER_EMPTY : null;
  }

  /** Only the root role will do. */
  public @Nullable EtcdError admin() {
    if (!state.enabled()) {
      return null;
    }
    if (caller.isAnonymous()) {
      return EtcdError.USER_EMPTY;
    }
    return isRoot() ? null : EtcdError.PERMISSION_DENIED;
  }

  /** The root role, or being that user. */
  public @Nullable EtcdError userGet(String name) {
    return caller.user().equals(name) && !caller.isAnonymous() ? null : admin();
  }

  /** The root role, or holding that role. */
  public @Nullable EtcdError roleGet(String name) {
    return state.holds(caller.user(), name) ? null : admin();
  }

  /** Reading the keys of a range; the range's end as the request has it. */
  public @Nullable EtcdError read(ByteString key, ByteString rangeEnd) {
    return keys(key, rangeEnd, false);
  }

  /** Writing or deleting the keys of a range; the range's end as the request has it. */
  public @Nullable EtcdError write(ByteString key, ByteString rangeEnd) {
    return keys(key, rangeEnd, true);
  }

  public @Nullable EtcdError range(RangeRequest request) {
    return read(request.getKey(), request.getRangeEnd());
  }

  /** Also writing each key that hangs on the lease already: it would live and die by this one. */
  public @Nullable EtcdError put(PutRequest request) {
    EtcdError refusal = write(request.getKey(), ByteString.EMPTY);
    if (refusal == null && request.getLease() != 0) {
      refusal = lease(request.getLease(), true);
    }
    if (refusal == null && request.getPrevKv()) {
      refusal = read(request.getKey(), ByteString.EMPTY);
    }
    return refusal;
  }

  public @Nullable EtcdError deleteRange(DeleteRangeRequest request) {
    EtcdError refusal = write(request.getKey(), request.getRangeEnd());
    if (refusal == null && request.getPrevKv()) {
      refusal = read(request.getKey(), request.getRangeEnd());
    }
    return refusal;
  }

  /**
   * All that it compares and all that either branch may do, at every depth. One that does nothing
   * still needs some user: it may be large, and stand in the log.
   */
  public @Nullable EtcdError txn(TxnRequest request) {
    EtcdError unknown = known();
    if (unknown != null) {
      return unknown;
    }
    for (Compare compare : request.getCompareList()) {
      EtcdError refusal = read(compare.getKey(), compare.getRangeEnd());
      if (refusal != null) {
        return refusal;
      }
    }
    EtcdError refusal = operations(request.getSuccessList());
    return refusal != null ? refusal : operations(request.getFailureList());
  }

  /** Seeing which keys hang on a lease. */
  public @Nullable EtcdError leaseKeys(long lease) {
    EtcdError unknown = known();
    return unknown != null ? unknown : lease(lease, false);
  }

  /** Seeing which leases there are: a question of all keys that hang on any. */
  public @Nullable EtcdError allLeases() {
    EtcdError unknown = known();
    return unknown != null || admin() == null ? unknown : all(attached.all(), false);
  }

  /** Ending a lease or keeping it alive, which is the end or the life of its keys. */
  public @Nullable EtcdError leaseChange(long lease) {
    EtcdError unknown = known();
    return unknown != null ? unknown : lease(lease, true);
  }

  private @Nullable EtcdError operations(List<RequestOp> operations) {
    for (RequestOp operation : operations) {
      EtcdError refusal =
          switch (operation.getRequestCase()) {
            case REQUEST_RANGE -> range(operation.getRequestRange());
            case REQUEST_PUT -> put(operation.getRequestPut());
            case REQUEST_DELETE_RANGE -> deleteRange(operation.getRequestDeleteRange());
            case REQUEST_TXN -> txn(operation.getRequestTxn());
            case REQUEST_NOT_SET -> null;
          };
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable EtcdError lease(long lease, boolean writing) {
    return admin() == null ? null : all(attached.of(lease), writing);
  }

  private @Nullable EtcdError all(Iterable<ByteString> keys, boolean writing) {
    for (ByteString key : keys) {
      EtcdError refusal = keys(key, ByteString.EMPTY, writing);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable EtcdError keys(ByteString key, ByteString rangeEnd, boolean writing) {
    if (!state.enabled()) {
      return null;
    }
    if (caller.authRevision() == 0) {
      return EtcdError.USER_EMPTY;
    }
    // What was given under a state that this one doesn't know yet, or that a restored backup took
    // back, says nothing about this one. etcd, too, lets it write only.
    if (caller.authRevision() < state.revision()
        || (!writing && caller.authRevision() > state.revision())) {
      return EtcdError.AUTH_OLD_REVISION;
    }
    User user = state.user(caller.user());
    if (user == null) {
      return EtcdError.PERMISSION_DENIED;
    }
    if (isRoot()) {
      return null;
    }
    Rights rights = state.rights(user);
    boolean may = writing ? rights.mayWrite(key, rangeEnd) : rights.mayRead(key, rangeEnd);
    return may ? null : EtcdError.PERMISSION_DENIED;
  }

  private boolean isRoot() {
    return state.holds(caller.user(), AuthState.ROOT);
  }
}
