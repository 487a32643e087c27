package io.tidemark.server;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.healthpb.HealthGrpc;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3lockpb.LockGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Every method of the protocol, called with nothing. */
final class BareCalls {
  static final List<ServiceDescriptor> SERVICES =
      List.of(
          KVGrpc.getServiceDescriptor(),
          WatchGrpc.getServiceDescriptor(),
          LeaseGrpc.getServiceDescriptor(),
          ClusterGrpc.getServiceDescriptor(),
          MaintenanceGrpc.getServiceDescriptor(),
          AuthGrpc.getServiceDescriptor(),
          LockGrpc.getServiceDescriptor(),
          ElectionGrpc.getServiceDescriptor(),
          ConsoleGrpc.getServiceDescriptor(),
          HealthGrpc.getServiceDescriptor());

  private BareCalls() {}

  static Stream<MethodDescriptor<?, ?>> methods() {
    return SERVICES.stream().map(ServiceDescriptor::getMethods).flatMap(Collection::stream);
  }

  /**
   * Calls with one empty message. Completes with the status, or with OK when the method answers
   * otherwise first; a stream that would wait for ever is ended.
   */
  static CompletableFuture<Status> answerToNothing(
      Channel channel, MethodDescriptor<?, ?> method, long seconds) {
    CompletableFuture<Status> answer = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call =
        channel.newCall(
            method.toBuilder(new Bytes(), new Bytes()).build(),
            CallOptions.DEFAULT.withDeadlineAfter(seconds, TimeUnit.SECONDS));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] message) {
            answer.complete(Status.OK);
            call.cancel("answered", null);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            answer.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(new byte[0]);
    call.halfClose();
    return answer;
  }

  /** Messages as they are on the wire. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try (stream) {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
