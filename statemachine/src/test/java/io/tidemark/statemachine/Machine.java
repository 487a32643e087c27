package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.testing.Requests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A machine over a real store in a directory of its own, fed one entry after the other. */
final class Machine implements AutoCloseable {
  static final Genesis GENESIS =
      new Genesis(
          0xc1L,
          List.of(
              Member.newBuilder().setID(-5).addPeerURLs("http://b:2380").build(),
              Member.newBuilder().setID(5).setName("a").addPeerURLs("http://a:2380").build()));

  private final Path directory;
  private final List<RevisionBatch> published = new ArrayList<>();
  private final Authority authority = new Authority();
  private MvccStore store;
  private CommandMachine machine;
  private long index = -1;

  Machine() {
    try {
      directory = Files.createTempDirectory("machine");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    store = MvccStore.open(directory, MvccLimits.defaults());
    machine = new CommandMachine(store, GENESIS, authority);
  }

  MvccStore store() {
    return store;
  }

  Authority authority() {
    return authority;
  }

  CommandMachine commands() {
    return machine;
  }

  long index() {
    return index;
  }

  /** Every revision batch so far, in the order of publication. */
  List<RevisionBatch> published() {
    return published;
  }

  /** Closes the store cleanly and opens it again. */
  void reopen() {
    store.close();
    store = MvccStore.open(directory, MvccLimits.defaults());
    machine = new CommandMachine(store, GENESIS, authority);
  }

  AppliedEntry apply(Command... commands) {
    return apply(List.of(commands));
  }

  AppliedEntry apply(List<Command> commands) {
    AppliedEntry applied = applyAs(new BatchId(1, 2, index + 1), commands);
    assertEquals(commands.size(), applied.outcomes().size());
    return applied;
  }

  AppliedEntry applyAs(BatchId id, List<Command> commands) {
    index++;
    AppliedEntry applied =
        machine.apply(
            1, index, EntryCodec.encode(id, commands.stream().map(Command::encoded).toList()));
    published.addAll(applied.batches());
    return applied;
  }

  void advance() {
    index++;
    machine.advance(1, index);
  }

  private Outcome one(Command command) {
    return apply(command).outcomes().get(0);
  }

  PutResponse put(String key, String value) {
    return put(Requests.put(key, value));
  }

  PutResponse put(PutRequest request) {
    return parse(one(new Command.Put(request)), PutResponse::parseFrom);
  }

  DeleteRangeResponse delete(DeleteRangeRequest request) {
    return parse(one(new Command.DeleteRange(request)), DeleteRangeResponse::parseFrom);
  }

  TxnResponse txn(TxnRequest request) {
    return parse(one(new Command.Txn(request)), TxnResponse::parseFrom);
  }

  CompactionResponse compact(long revision) {
    return parse(
        one(new Command.Compact(Requests.compact(revision))), CompactionResponse::parseFrom);
  }

  /** The error of a command that must be refused without a trace. */
  EtcdError refused(Command command) {
    long before = store.revision();
    AppliedEntry applied = apply(command);
    assertEquals(List.of(), applied.batches());
    assertEquals(before, store.revision());
    return error(applied.outcomes().get(0));
  }

  static EtcdError error(Outcome outcome) {
    return outcome.on(
        new Outcome.Cases<>() {
          @Override
          public EtcdError done(Outcome.Done done) {
            throw new AssertionError("not refused: " + done);
          }

          @Override
          public EtcdError rejected(Outcome.Rejected rejected) {
            return rejected.error();
          }
        });
  }

  static <T> T parse(Outcome outcome, Parser<T> parser) {
    return outcome.on(
        new Outcome.Cases<>() {
          @Override
          public T done(Outcome.Done done) {
            try {
              return parser.parse(done.response());
            } catch (InvalidProtocolBufferException e) {
              throw new AssertionError("unreadable response", e);
            }
          }

          @Override
          public T rejected(Outcome.Rejected rejected) {
            throw new AssertionError("refused: " + rejected.error());
          }
        });
  }

  @Override
  public void close() {
    store.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one kind of response. */
  interface Parser<T> {
    T parse(ByteString bytes) throws InvalidProtocolBufferException;
  }
}
