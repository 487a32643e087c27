package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.statemachine.testing.Requests;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntryCodecTest {
  private static final BatchId ID = new BatchId(0x0102030405060708L, -2, 3);
  private static final List<Command> COMMANDS =
      List.of(
          new Command.Put(Requests.put("k", "v")),
          new Command.DeleteRange(Requests.delete("a", "b")),
          new Command.Txn(Requests.txn(Requests.op(Requests.range("k")))),
          new Command.Compact(Requests.compact(7)),
          new Command.PublishMember(
              Member.newBuilder().setID(-1).setName("m").addClientURLs("http://h:1").build()),
          new Command.ChangeMembers(
              new MemberChange.Add(
                  Member.newBuilder().setID(5).addPeerURLs("p").setIsLearner(true).build(),
                  true,
                  1)),
          new Command.ChangeMembers(new MemberChange.Remove(-5, false)),
          new Command.ChangeMembers(new MemberChange.Update(5, List.of("p"))),
          new Command.ChangeMembers(new MemberChange.Promote(5, true)),
          new Command.AutoCompact(Requests.compact(7)),
          new Command.LeaseGrant(LeaseGrantRequest.newBuilder().setTTL(60).setID(9).build()),
          new Command.LeaseRevoke(LeaseRevokeRequest.newBuilder().setID(9).build()),
          new Command.RenewLeases(
              new LeaseRenewals(3, 0x102, List.of(new LeaseRenewals.Renewal(9, 0x101)))),
          new Command.ExpireLease(new LeaseExpiry(3, 0x102, -2, 0x101)));

  /** The bytes of docs/format.md. If this fails, the version must change. */
  private static final String GOLDEN =
      "01" // version
          + "0102030405060708" // member id
          + "fffffffffffffffe" // incarnation
          + "0000000000000003" // sequence
          + "0000000e" // count
          + "01" // put
          + "00000006"
          + "0a016b120176"
          + "02" // delete range
          + "00000006"
          + "0a0161120162"
          + "03" // txn
          + "00000007"
          + "12050a030a016b"
          + "04" // compact
          + "00000002"
          + "0807"
          + "05" // publish member
          + "0000001a"
          + "08ffffffffffffffffff0112016d220a687474703a2f2f683a31"
          + "09" // member add
          + "0000000c"
          + "01000000010805" // strict, most learners, id
          + "1a01702801"
          + "0a" // member remove
          + "00000009"
          + "00fffffffffffffffb"
          + "0b" // member update
          + "00000005"
          + "08051a0170"
          + "0c" // member promote
          + "00000009"
          + "010000000000000005"
          + "0d" // auto compact
          + "00000002"
          + "0807"
          + "10" // lease grant
          + "00000004"
          + "083c1009"
          + "11" // lease revoke
          + "00000002"
          + "0809"
          + "12" // renew leases
          + "00000020"
          + "0000000000000003000000000000010200000000000000090000000000000101"
          + "13" // expire lease
          + "00000020"
          + "00000000000000030000000000000102fffffffffffffffe0000000000000101";

  private static ByteString golden() {
    return hex(GOLDEN);
  }

  private static ByteString hex(String digits) {
    return ByteString.copyFrom(HexFormat.of().parseHex(digits));
  }

  private static ByteString encoded() {
    return EntryCodec.encode(ID, COMMANDS.stream().map(Command::encoded).toList());
  }

  @Test
  void writesTheDocumentedBytes() {
    assertEquals(GOLDEN, HexFormat.of().formatHex(encoded().toByteArray()));
  }

  @Test
  void readsTheDocumentedBytes() {
    assertEquals(new Entry(ID, COMMANDS), EntryCodec.decode(golden()));
    assertEquals(ID, EntryCodec.peekId(golden()));
  }

  @Test
  void anEntryMayBeEmpty() {
    ByteString empty = EntryCodec.encode(ID, List.of());
    assertEquals(EntryCodec.overheadBytes(), empty.size());
    assertEquals(new Entry(ID, List.of()), EntryCodec.decode(empty));
  }

  @Test
  void refusesEveryCutOffEntry() {
    for (int size = 0; size < golden().size(); size++) {
      ByteString cut = golden().substring(0, size);
      assertThrows(EntryFormatException.class, () -> EntryCodec.decode(cut), "cut at " + size);
    }
  }

  @Test
  void refusesTrailingBytes() {
    ByteString longer = golden().concat(hex("00"));
    assertEquals(
        "1 bytes after the last command",
        assertThrows(EntryFormatException.class, () -> EntryCodec.decode(longer)).getMessage());
  }

  @Test
  void namesBothVersionsWhenItMeetsAnotherOne() {
    ByteString newer = hex("02").concat(golden().substring(1));
    String expected = "entry format version 2, this build reads 1";
    assertEquals(
        expected,
        assertThrows(EntryFormatException.class, () -> EntryCodec.decode(newer)).getMessage());
    assertEquals(
        expected,
        assertThrows(EntryFormatException.class, () -> EntryCodec.peekId(newer)).getMessage());
  }

  @Test
  void refusesUnknownKinds() {
    for (String kind : List.of("00", "0f", "ff")) {
      ByteString entry = EntryCodec.encode(ID, List.of(hex(kind + "00000000")));
      EntryFormatException fault =
          assertThrows(EntryFormatException.class, () -> EntryCodec.decode(entry));
      assertEquals("unknown command kind " + Integer.parseInt(kind, 16), fault.getMessage());
    }
  }

  @Test
  void refusesLengthsAndCountsThatCannotBe() {
    ByteString header = golden().substring(0, 25);
    for (String rest :
        List.of(
            "ffffffff", // a negative count
            "7fffffff", // more commands than bytes
            "00000001" + "01" + "ffffffff", // a negative length
            "00000001" + "01" + "00000001")) { // longer than the entry
      assertThrows(
          EntryFormatException.class, () -> EntryCodec.decode(header.concat(hex(rest))), rest);
    }
  }

  @Test
  void refusesMessagesThatAreNone() {
    for (String command :
        List.of(
            "01" + "00000002" + "0a05",
            "09" + "00000004" + "01000000",
            "09" + "00000005" + "0200000001",
            "0a" + "00000008" + "0100000000000000",
            "0a" + "00000009" + "020000000000000005",
            "0c" + "0000000a" + "01000000000000000500",
            "12" + "00000001" + "00",
            "13" + "00000001" + "00")) {
      ByteString entry = EntryCodec.encode(ID, List.of(hex(command)));
      assertThrows(EntryFormatException.class, () -> EntryCodec.decode(entry), command);
    }
  }
}
