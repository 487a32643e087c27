package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/** What one caller does over and over. Thread: the caller's, one call at a time. */
interface Operation {
  /** One unary call. */
  record Step(MethodDescriptor<MessageLite, byte[]> method, MessageLite request) {}

  /** Begins the next operation. */
  Step first();

  /** What follows after an answer; null when the operation is complete. */
  @Nullable Step after(byte[] answer);
}
