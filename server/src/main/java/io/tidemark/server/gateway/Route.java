package io.tidemark.server.gateway;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import java.util.Objects;

/**
 * Where a path leads.
 *
 * @param method full gRPC name
 * @param manyRequests whether the body may hold several requests
 * @param manyReplies whether the answer is one line per reply
 * @param request an empty request
 * @param reply an empty reply
 */
record Route(
    String method, boolean manyRequests, boolean manyReplies, Message request, Message reply) {

  static Route to(MethodDescriptor<?, ?> method) {
    return new Route(
        method.getFullMethodName(),
        !method.getType().clientSendsOneMessage(),
        !method.getType().serverSendsOneMessage(),
        empty(method.getRequestMarshaller()),
        empty(method.getResponseMarshaller()));
  }

  private static Message empty(MethodDescriptor.Marshaller<?> marshaller) {
    if (marshaller instanceof PrototypeMarshaller<?> generated) {
      return (Message) Objects.requireNonNull(generated.getMessagePrototype());
    }
    throw new IllegalArgumentException("not a method of generated code");
  }
}
