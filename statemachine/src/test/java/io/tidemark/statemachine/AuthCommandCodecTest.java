package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.testing.AuthChanges;
import io.tidemark.statemachine.testing.Requests;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes of docs/format.md for commands of users and roles. */
final class AuthCommandCodecTest {
  private static final BatchId ID = new BatchId(1, 2, 3);

  private static final Map<Command, String> GOLDEN =
      Map.ofEntries(
          Map.entry(
              new Command.OnBehalf(new Caller("u", 7), new Command.Put(Requests.put("k", "v"))),
              "20" + "00000014" + "0000000000000007" + "00000001" + "75" + "01" + "0a016b120176"),
          Map.entry(AuthChanges.enable(), "21" + "00000000"),
          Map.entry(AuthChanges.disable(), "22" + "00000000"),
          Map.entry(AuthChanges.userAdd("u", "h"), "23" + "00000009" + "0a01752204" + "61413d3d"),
          Map.entry(
              AuthChanges.userWithoutPassword("u"), "23" + "00000007" + "0a0175" + "1a020801"),
          Map.entry(AuthChanges.userDelete("u"), "24" + "00000003" + "0a0175"),
          Map.entry(AuthChanges.passwd("u", "h"), "25" + "00000009" + "0a01751a04" + "61413d3d"),
          Map.entry(AuthChanges.grantRole("u", "r"), "26" + "00000006" + "0a0175120172"),
          Map.entry(AuthChanges.revokeRole("u", "r"), "27" + "00000006" + "0a0175120172"),
          Map.entry(AuthChanges.roleAdd("r"), "28" + "00000003" + "0a0172"),
          Map.entry(AuthChanges.roleDelete("r"), "29" + "00000003" + "0a0172"),
          Map.entry(
              AuthChanges.grant("r", Permission.Type.READWRITE, "a", "b"),
              "2a" + "0000000d" + "0a0172" + "1208" + "080212016" + "11a0162"),
          Map.entry(
              AuthChanges.revoke("r", "a", "b"), "2b" + "00000009" + "0a0172" + "1201611a0162"),
          Map.entry(
              AuthChanges.login("u", "xy", 9),
              "2c" + "00000013" + "0000000000000009" + "00000001" + "75" + "00000002" + "7879"));

  private static ByteString entry(String hex) {
    return EntryCodec.encode(ID, List.of(ByteString.copyFrom(HexFormat.of().parseHex(hex))));
  }

  @Test
  void writesAndReadsTheDocumentedBytes() {
    GOLDEN.forEach(
        (command, bytes) -> {
          assertEquals(bytes, HexFormat.of().formatHex(command.encoded().toByteArray()));
          assertEquals(List.of(command), EntryCodec.decode(entry(bytes)).commands());
        });
  }

  @Test
  void refusesWhatItWouldNotHaveWritten() {
    for (String bytes :
        List.of(
            "20" + "00000004" + "00000000", // no revision
            "20" + "0000000c" + "0000000000000007" + "00000009", // a name longer than the command
            "20" + "0000000c" + "0000000000000007" + "ffffffff",
            "20" + "0000000d" + "0000000000000007" + "00000001" + "75", // no command
            "20" + "0000000d" + "0000000000000007" + "00000000" + "20", // on behalf of two
            "20" + "0000000d" + "0000000000000007" + "00000000" + "ff", // no such kind
            "21" + "00000001" + "ff", // no message
            "2c" + "00000009" + "0000000000000009" + "00",
            "2c" + "00000011" + "0000000000000009" + "00000000" + "00000000" + "00",
            "2d" + "00000000")) {
      assertThrows(EntryFormatException.class, () -> EntryCodec.decode(entry(bytes)), bytes);
    }
  }
}
