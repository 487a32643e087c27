package io.tidemark.ctl.bench;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import java.io.IOException;

/** Picks single fields out of serialized answers without building messages. */
final class AnswerScan {
  private AnswerScan() {}

  /** Told about each event of a watch answer. */
  interface Events {
    /** Stamp: the first eight bytes of the value, big end first; 0 if the value is shorter. */
    void event(long stamp);
  }

  /** What a watch answer says besides events. */
  record WatchNote(boolean created, boolean canceled) {}

  /** The mod revision of the first key of a range answer; 0 if there is none. */
  static long firstModRevision(byte[] rangeResponse) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(rangeResponse);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == RangeResponse.KVS_FIELD_NUMBER) {
        in.pushLimit(in.readRawVarint32());
        return modRevision(in);
      }
      in.skipField(tag);
    }
    return 0;
  }

  private static long modRevision(CodedInputStream keyValue) throws IOException {
    for (int tag = keyValue.readTag(); tag != 0; tag = keyValue.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == KeyValue.MOD_REVISION_FIELD_NUMBER) {
        return keyValue.readInt64();
      }
      keyValue.skipField(tag);
    }
    return 0;
  }

  static boolean txnSucceeded(byte[] txnResponse) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(txnResponse);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == TxnResponse.SUCCEEDED_FIELD_NUMBER) {
        return in.readBool();
      }
      in.skipField(tag);
    }
    return false;
  }

  /** The time to live of a renewed lease; 0 if there is no such lease. */
  static long keepAliveTtl(byte[] keepAliveResponse) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(keepAliveResponse);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == LeaseKeepAliveResponse.TTL_FIELD_NUMBER) {
        return in.readInt64();
      }
      in.skipField(tag);
    }
    return 0;
  }

  static WatchNote watch(byte[] watchResponse, Events events) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(watchResponse);
    boolean created = false;
    boolean canceled = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case WatchResponse.CREATED_FIELD_NUMBER -> created = in.readBool();
        case WatchResponse.CANCELED_FIELD_NUMBER -> canceled = in.readBool();
        case WatchResponse.EVENTS_FIELD_NUMBER -> {
          int outer = in.pushLimit(in.readRawVarint32());
          events.event(stampOfEvent(in, watchResponse));
          in.popLimit(outer);
        }
        default -> in.skipField(tag);
      }
    }
    return new WatchNote(created, canceled);
  }

  private static long stampOfEvent(CodedInputStream in, byte[] bytes) throws IOException {
    long stamp = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == Event.KV_FIELD_NUMBER) {
        int outer = in.pushLimit(in.readRawVarint32());
        stamp = stampOfKeyValue(in, bytes);
        in.popLimit(outer);
      } else {
        in.skipField(tag);
      }
    }
    return stamp;
  }

  private static long stampOfKeyValue(CodedInputStream in, byte[] bytes) throws IOException {
    long stamp = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == KeyValue.VALUE_FIELD_NUMBER) {
        int length = in.readRawVarint32();
        stamp = length < Long.BYTES ? 0 : stampAt(bytes, in.getTotalBytesRead());
        in.skipRawBytes(length);
      } else {
        in.skipField(tag);
      }
    }
    return stamp;
  }

  private static long stampAt(byte[] bytes, int offset) {
    long stamp = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      stamp = (stamp << 8) | (bytes[offset + i] & 0xff);
    }
    return stamp;
  }
}
