package io.tidemark.api.errors;

/**
 * Every error that a client can tell apart, with the status code and the text it is sent with.
 *
 * <p>Clients match the text letter by letter, and some of them the whole status, so an error is
 * sent with this code, this text and no details. Where the code that is sent differs from the one a
 * client library declares ({@link #MEMBER_NOT_ENOUGH_STARTED}, {@link #TOO_MANY_REQUESTS}), the one
 * that is sent stands here.
 *
 * <p>{@link #id()} is part of the log's format: it never changes and is never given to another
 * error.
 */
public enum EtcdError {
  EMPTY_KEY(1, Code.INVALID_ARGUMENT, "etcdserver: key is not provided"),
  KEY_NOT_FOUND(2, Code.INVALID_ARGUMENT, "etcdserver: key not found"),
  VALUE_PROVIDED(3, Code.INVALID_ARGUMENT, "etcdserver: value is provided"),
  LEASE_PROVIDED(4, Code.INVALID_ARGUMENT, "etcdserver: lease is provided"),
  TOO_MANY_OPS(5, Code.INVALID_ARGUMENT, "etcdserver: too many operations in txn request"),
  DUPLICATE_KEY(6, Code.INVALID_ARGUMENT, "etcdserver: duplicate key given in txn request"),
  INVALID_CLIENT_API_VERSION(7, Code.INVALID_ARGUMENT, "etcdserver: invalid client api version"),
  INVALID_SORT_OPTION(8, Code.INVALID_ARGUMENT, "etcdserver: invalid sort option"),
  COMPACTED(9, Code.OUT_OF_RANGE, "etcdserver: mvcc: required revision has been compacted"),
  FUTURE_REV(10, Code.OUT_OF_RANGE, "etcdserver: mvcc: required revision is a future revision"),
  NO_SPACE(11, Code.RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded"),
  LEASE_NOT_FOUND(12, Code.NOT_FOUND, "etcdserver: requested lease not found"),
  LEASE_EXIST(13, Code.FAILED_PRECONDITION, "etcdserver: lease already exists"),
  LEASE_TTL_TOO_LARGE(14, Code.OUT_OF_RANGE, "etcdserver: too large lease TTL"),
  WATCH_CANCELED(15, Code.CANCELED, "etcdserver: watch canceled"),
  MEMBER_EXIST(16, Code.FAILED_PRECONDITION, "etcdserver: member ID already exist"),
  PEER_URL_EXIST(17, Code.FAILED_PRECONDITION, "etcdserver: Peer URLs already exists"),
  MEMBER_NOT_ENOUGH_STARTED(
      18, Code.UNKNOWN, "etcdserver: re-configuration failed due to not enough started members"),
  MEMBER_BAD_URLS(19, Code.INVALID_ARGUMENT, "etcdserver: given member URLs are invalid"),
  MEMBER_NOT_FOUND(20, Code.NOT_FOUND, "etcdserver: member not found"),
  MEMBER_NOT_LEARNER(21, Code.FAILED_PRECONDITION, "etcdserver: can only promote a learner member"),
  LEARNER_NOT_READY(
      22,
      Code.FAILED_PRECONDITION,
      "etcdserver: can only promote a learner member which is in sync with leader"),
  TOO_MANY_LEARNERS(
      23, Code.FAILED_PRECONDITION, "etcdserver: too many learner members in cluster"),
  CLUSTER_ID_MISMATCH(24, Code.FAILED_PRECONDITION, "etcdserver: cluster ID mismatch"),
  REQUEST_TOO_LARGE(25, Code.INVALID_ARGUMENT, "etcdserver: request is too large"),
  TOO_MANY_REQUESTS(26, Code.UNKNOWN, "etcdserver: too many requests"),
  ROOT_USER_NOT_EXIST(27, Code.FAILED_PRECONDITION, "etcdserver: root user does not exist"),
  ROOT_ROLE_NOT_EXIST(
      28, Code.FAILED_PRECONDITION, "etcdserver: root user does not have root role"),
  USER_ALREADY_EXIST(29, Code.FAILED_PRECONDITION, "etcdserver: user name already exists"),
  USER_EMPTY(30, Code.INVALID_ARGUMENT, "etcdserver: user name is empty"),
  USER_NOT_FOUND(31, Code.FAILED_PRECONDITION, "etcdserver: user name not found"),
  ROLE_ALREADY_EXIST(32, Code.FAILED_PRECONDITION, "etcdserver: role name already exists"),
  ROLE_NOT_FOUND(33, Code.FAILED_PRECONDITION, "etcdserver: role name not found"),
  ROLE_EMPTY(34, Code.INVALID_ARGUMENT, "etcdserver: role name is empty"),
  AUTH_FAILED(
      35, Code.INVALID_ARGUMENT, "etcdserver: authentication failed, invalid user ID or password"),
  PERMISSION_NOT_GIVEN(36, Code.INVALID_ARGUMENT, "etcdserver: permission not given"),
  PERMISSION_DENIED(37, Code.PERMISSION_DENIED, "etcdserver: permission denied"),
  ROLE_NOT_GRANTED(38, Code.FAILED_PRECONDITION, "etcdserver: role is not granted to the user"),
  PERMISSION_NOT_GRANTED(
      39, Code.FAILED_PRECONDITION, "etcdserver: permission is not granted to the role"),
  AUTH_NOT_ENABLED(40, Code.FAILED_PRECONDITION, "etcdserver: authentication is not enabled"),
  INVALID_AUTH_TOKEN(41, Code.UNAUTHENTICATED, "etcdserver: invalid auth token"),
  INVALID_AUTH_MGMT(42, Code.INVALID_ARGUMENT, "etcdserver: invalid auth management"),
  AUTH_OLD_REVISION(43, Code.INVALID_ARGUMENT, "etcdserver: revision of auth store is old"),
  NO_LEADER(44, Code.UNAVAILABLE, "etcdserver: no leader"),
  NOT_LEADER(45, Code.FAILED_PRECONDITION, "etcdserver: not leader"),
  LEADER_CHANGED(46, Code.UNAVAILABLE, "etcdserver: leader changed"),
  NOT_CAPABLE(47, Code.FAILED_PRECONDITION, "etcdserver: not capable"),
  STOPPED(48, Code.UNAVAILABLE, "etcdserver: server stopped"),
  TIMEOUT(49, Code.UNAVAILABLE, "etcdserver: request timed out"),
  TIMEOUT_DUE_TO_LEADER_FAIL(
      50,
      Code.UNAVAILABLE,
      "etcdserver: request timed out, possibly due to previous leader failure"),
  TIMEOUT_DUE_TO_CONNECTION_LOST(
      51, Code.UNAVAILABLE, "etcdserver: request timed out, possibly due to connection lost"),
  TIMEOUT_WAIT_APPLIED_INDEX(
      52,
      Code.UNAVAILABLE,
      "etcdserver: request timed out, waiting for the applied index took too long"),
  UNHEALTHY(53, Code.UNAVAILABLE, "etcdserver: unhealthy cluster"),
  CORRUPT(54, Code.DATA_LOSS, "etcdserver: corrupt cluster"),
  NOT_SUPPORTED_FOR_LEARNER(
      55, Code.FAILED_PRECONDITION, "etcdserver: rpc not supported for learner"),
  BAD_LEADER_TRANSFEREE(56, Code.FAILED_PRECONDITION, "etcdserver: bad leader transferee"),
  WRONG_DOWNGRADE_VERSION_FORMAT(
      57, Code.INVALID_ARGUMENT, "etcdserver: wrong downgrade target version format"),
  INVALID_DOWNGRADE_TARGET_VERSION(
      58, Code.INVALID_ARGUMENT, "etcdserver: invalid downgrade target version"),
  CLUSTER_VERSION_UNAVAILABLE(
      59, Code.FAILED_PRECONDITION, "etcdserver: cluster version not found during downgrade"),
  DOWNGRADE_IN_PROCESS(
      60, Code.FAILED_PRECONDITION, "etcdserver: cluster has a downgrade job in progress"),
  NO_INFLIGHT_DOWNGRADE(61, Code.FAILED_PRECONDITION, "etcdserver: no inflight downgrade job"),
  CANCELED(62, Code.CANCELED, "etcdserver: request canceled"),
  DEADLINE_EXCEEDED(63, Code.DEADLINE_EXCEEDED, "etcdserver: context deadline exceeded");

  private static final EtcdError[] BY_ID = index();

  private final int id;
  private final int code;
  private final String message;

  EtcdError(int id, int code, String message) {
    this.id = id;
    this.code = code;
    this.message = message;
  }

  /** The number that stands for this error in the log; between 1 and 127. */
  public int id() {
    return id;
  }

  /** The numeric gRPC status code, as sent. */
  public int code() {
    return code;
  }

  /** The status text, as sent. */
  public String message() {
    return message;
  }

  /**
   * The error that a number from the log stands for.
   *
   * @throws IllegalArgumentException if no error of this version has that number
   */
  public static EtcdError byId(int id) {
    if (id < 1 || id >= BY_ID.length) {
      throw new IllegalArgumentException("no error has id " + id);
    }
    return BY_ID[id];
  }

  private static EtcdError[] index() {
    EtcdError[] values = values();
    EtcdError[] index = new EtcdError[values.length + 1];
    index[0] = values[0]; // 0 is no id; byId refuses it before it looks here
    for (EtcdError error : values) {
      index[error.id] = error;
    }
    return index;
  }

  /** The gRPC status codes in use. Written out here so that this package needs no gRPC. */
  private static final class Code {
    static final int CANCELED = 1;
    static final int UNKNOWN = 2;
    static final int INVALID_ARGUMENT = 3;
    static final int DEADLINE_EXCEEDED = 4;
    static final int NOT_FOUND = 5;
    static final int PERMISSION_DENIED = 7;
    static final int RESOURCE_EXHAUSTED = 8;
    static final int FAILED_PRECONDITION = 9;
    static final int OUT_OF_RANGE = 11;
    static final int UNAVAILABLE = 14;
    static final int DATA_LOSS = 15;
    static final int UNAUTHENTICATED = 16;

    private Code() {}
  }
}
