package io.tidemark.server.console;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.tidemarkpb.ChildrenRequest;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.tidemarkpb.HistoryRequest;
import io.tidemark.api.tidemarkpb.HistoryResponse;
import io.tidemark.api.tidemarkpb.KeyVersion;
import io.tidemark.api.tidemarkpb.MemberFigures;
import io.tidemark.api.tidemarkpb.MemberView;
import io.tidemark.api.tidemarkpb.MembersRequest;
import io.tidemark.api.tidemarkpb.MembersResponse;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.util.List;

/**
 * {@code tidemarkpb.Console}. Reads are this member's own, never behind a barrier: whoever looks at
 * a member wants to see that member.
 */
public final class ConsoleService {
  private static final int VERSIONS_MAX = 100;
  private static final int VERSIONS_DEFAULT = 20;

  /** Versions of a key may be large; an answer stays near this size. */
  private static final int HISTORY_BYTES = 4 << 20;

  private static final ByteString FIRST_KEY = ByteString.copyFrom(new byte[] {0});

  private final Guard guard;
  private final Replica replica;
  private final Reads reads;
  private final ReadLanes lanes;
  private final Headers headers;

  public ConsoleService(
      Guard guard, Replica replica, Reads reads, ReadLanes lanes, Headers headers) {
    this.guard = guard;
    this.replica = replica;
    this.reads = reads;
    this.lanes = lanes;
    this.headers = headers;
  }

  public void register(Methods methods) {
    methods
        .add(ConsoleGrpc.getMembersMethod(), MembersRequest.parser(), this::members)
        .add(ConsoleGrpc.getChildrenMethod(), ChildrenRequest.parser(), this::children)
        .add(ConsoleGrpc.getHistoryMethod(), HistoryRequest.parser(), this::history);
  }

  /** Some user sees figures; only root sees which keys are watched. */
  private void members(MembersRequest request, Reply reply) {
    guard.pass(
        reply,
        Right.KNOWN,
        caller -> {
          boolean root = guard.admit(reply, Right.ADMIN).refusal() == null;
          var unused = replica.everyone().thenAccept(views -> send(reply, members(views, root)));
        });
  }

  private MembersResponse members(List<MemberView> views, boolean root) {
    MembersResponse.Builder response =
        MembersResponse.newBuilder().setHeader(headers.message(replica.revision()));
    views.forEach(view -> response.addMembers(root ? view : withoutKeys(view)));
    return response.build();
  }

  private static MemberView withoutKeys(MemberView view) {
    MemberView.Builder copy = view.toBuilder();
    if (view.hasFigures()) {
      MemberFigures.Builder figures = copy.getFiguresBuilder();
      figures.getWatchersBuilder().clearSlowest();
    }
    return copy.build();
  }

  private void children(ChildrenRequest request, Reply reply) {
    if (request.getSeparator().isEmpty()) {
      reply.fail(Status.INVALID_ARGUMENT.withDescription("console: separator is not provided"));
      return;
    }
    if (!request.getAfter().isEmpty() && !request.getAfter().startsWith(request.getPrefix())) {
      // It would go on among keys that nobody asked the caller's right for.
      reply.fail(Status.INVALID_ARGUMENT.withDescription("console: after is not below prefix"));
      return;
    }
    KeyRange range = KeyRange.prefix(request.getPrefix());
    ByteString first = range.key().isEmpty() ? FIRST_KEY : range.key();
    reads.answer(
        false,
        lanes.scans(),
        permissions -> permissions.read(first, range.rangeEnd()),
        reply,
        view ->
            spliced(
                Folders.read(view, request).setHeader(headers.message(view.revision())).build()));
  }

  private void history(HistoryRequest request, Reply reply) {
    if (request.getKey().isEmpty()) {
      reply.fail(EtcdError.EMPTY_KEY);
      return;
    }
    reads.answer(
        false,
        lanes.scans(),
        permissions -> permissions.read(request.getKey(), ByteString.EMPTY),
        reply,
        view -> spliced(versions(view, request)));
  }

  private HistoryResponse versions(ReadView view, HistoryRequest request) {
    int limit = limit(request.getLimit(), VERSIONS_DEFAULT, VERSIONS_MAX);
    HistoryResponse.Builder response =
        HistoryResponse.newBuilder()
            .setHeader(headers.message(view.revision()))
            .setCompactRevision(view.compactRevision());
    int[] bytes = {0};
    view.forEachVersion(
        request.getKey(),
        request.getBefore(),
        version -> {
          if (response.getVersionsCount() == limit || bytes[0] > HISTORY_BYTES) {
            response.setMore(true);
            return false;
          }
          KeyVersion.Builder shown = KeyVersion.newBuilder().setRevision(version.revision());
          if (version.pair() == null) {
            response.addVersions(shown.setDeleted(true));
          } else {
            response.addVersions(shown.setKv(version.pair()));
            bytes[0] += version.pair().getSerializedSize();
          }
          return true;
        });
    return response.build();
  }

  /** A wish within bounds; 0 and what looks negative stand for the default. */
  static int limit(int wish, int usual, int most) {
    return wish <= 0 ? usual : Math.min(wish, most);
  }

  private static Spliced spliced(MessageLite message) {
    return Spliced.of(message.toByteString());
  }

  private static void send(Reply reply, MessageLite message) {
    reply.send(spliced(message));
  }
}
