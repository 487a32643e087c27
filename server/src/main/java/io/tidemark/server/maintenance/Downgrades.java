package io.tidemark.server.maintenance;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.DowngradeRequest;
import io.tidemark.api.etcdserverpb.DowngradeResponse;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.access.Writes;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.Command;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code Maintenance.Downgrade}: checks, notes and forgets the wish to go back one minor version.
 * The wish is kept and shown; the format on disk doesn't depend on it.
 */
public final class Downgrades {
  private static final Pattern VERSION =
      Pattern.compile("(\\d{1,9})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?");
  private static final Status UNKNOWN_METHOD =
      Status.UNKNOWN.withDescription("etcdserver: unknown method");

  private final Guard guard;
  private final Replica replica;
  private final Writes writes;
  private final Headers headers;
  private final Matcher cluster;

  /**
   * @param clusterVersion {@code x.y.z}
   */
  public Downgrades(
      Guard guard, Replica replica, Writes writes, Headers headers, String clusterVersion) {
    this.guard = guard;
    this.replica = replica;
    this.writes = writes;
    this.headers = headers;
    this.cluster = VERSION.matcher(clusterVersion);
    if (!cluster.matches()) {
      throw new IllegalArgumentException("no version: " + clusterVersion);
    }
  }

  public void register(Methods methods) {
    methods.add(MaintenanceGrpc.getDowngradeMethod(), DowngradeRequest.parser(), this::downgrade);
  }

  private void downgrade(DowngradeRequest request, Reply reply) {
    EtcdError gated = guard.gate().refusal(reply.headers());
    if (gated != null) {
      reply.fail(gated);
      return;
    }
    guard.pass(reply, Right.ADMIN, caller -> admitted(request, reply));
  }

  private void admitted(DowngradeRequest request, Reply reply) {
    switch (request.getAction()) {
      case VALIDATE -> guard.behindBarrier(reply, () -> validate(request, reply));
      case ENABLE -> guard.behindBarrier(reply, () -> enable(request, reply));
      case CANCEL -> propose(DowngradeInfo.getDefaultInstance(), reply);
      case UNRECOGNIZED -> reply.fail(UNKNOWN_METHOD);
    }
  }

  private void validate(DowngradeRequest request, Reply reply) {
    refusal(request.getVersion())
        .ifPresentOrElse(
            reply::fail,
            () ->
                reply.send(
                    Spliced.of(
                        DowngradeResponse.newBuilder()
                            .setHeader(headers.message(replica.status().appliedRevision()))
                            .setVersion(clusterVersion())
                            .build()
                            .toByteString())));
  }

  private void enable(DowngradeRequest request, Reply reply) {
    Optional<EtcdError> refusal = refusal(request.getVersion());
    if (refusal.isPresent()) {
      reply.fail(refusal.get());
      return;
    }
    propose(
        DowngradeInfo.newBuilder()
            .setEnabled(true)
            .setTargetVersion(cluster.group(1) + "." + lowerMinor() + ".0")
            .build(),
        reply);
  }

  private Optional<EtcdError> refusal(String wanted) {
    Matcher target = VERSION.matcher(wanted);
    if (!target.matches()) {
      return Optional.of(EtcdError.WRONG_DOWNGRADE_VERSION_FORMAT);
    }
    boolean oneBelow =
        target.group(1).equals(cluster.group(1))
            && Integer.parseInt(target.group(2)) == lowerMinor();
    if (!oneBelow) {
      return Optional.of(EtcdError.INVALID_DOWNGRADE_TARGET_VERSION);
    }
    return replica.downgrade().getEnabled()
        ? Optional.of(EtcdError.DOWNGRADE_IN_PROCESS)
        : Optional.empty();
  }

  private void propose(DowngradeInfo info, Reply reply) {
    ByteString version =
        DowngradeResponse.newBuilder().setVersion(clusterVersion()).build().toByteString();
    writes.propose(new Command.Downgrade(info), reply, response -> response.concat(version));
  }

  private int lowerMinor() {
    return Integer.parseInt(cluster.group(2)) - 1;
  }

  private String clusterVersion() {
    return cluster.group(1) + "." + cluster.group(2);
  }
}
