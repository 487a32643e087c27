package io.tidemark.it.verdict;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.Operation;
import io.tidemark.it.load.Hold;
import io.tidemark.it.load.LeaderWatch;
import io.tidemark.it.load.LeaseLife;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.tape.Tape;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A recording as a gzipped file of JSON lines, each with a {@code type}; messages of the wire are
 * in base64. What is read back equals what was written.
 */
public final class RecordingFile {
  private static final int VERSION = 1;
  private static final Gson GSON = new Gson();

  private final List<Operation> operations = new ArrayList<>();
  private final List<Tape> tapes = new ArrayList<>();
  private final List<Hold> holds = new ArrayList<>();
  private final List<LeaseLife> leases = new ArrayList<>();
  private final List<Long> compactions = new ArrayList<>();
  private final List<LeaderWatch.Said> leaders = new ArrayList<>();
  private final List<FaultRecord> faults = new ArrayList<>();
  private final List<MemberState> states = new ArrayList<>();
  private JsonObject run = new JsonObject();

  private RecordingFile() {}

  /** Writes a recording; replaces the file. */
  public static void write(Path file, Recording recording) throws IOException {
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
      JsonObject run = typed("run", new JsonObject());
      run.addProperty("version", VERSION);
      run.addProperty("seed", recording.seed());
      run.addProperty("members", recording.members());
      run.addProperty("began", recording.beganNanos());
      run.addProperty("ended", recording.endedNanos());
      line(out, run);
      for (Operation operation : recording.operations()) {
        line(out, typed("operation", OperationJson.of(operation)));
      }
      for (Tape tape : recording.tapes()) {
        line(out, typed("tape", json(tape)));
      }
      plain(out, "hold", recording.holds());
      plain(out, "lease", recording.leases());
      for (long revision : recording.compactions()) {
        JsonObject compaction = typed("compaction", new JsonObject());
        compaction.addProperty("revision", revision);
        line(out, compaction);
      }
      plain(out, "leader", recording.leaders());
      for (FaultRecord fault : recording.faults()) {
        line(out, typed("fault", FaultJson.of(fault)));
      }
      for (MemberState state : recording.states()) {
        line(out, typed("state", json(state)));
      }
    }
  }

  private static void plain(Writer out, String type, List<?> records) throws IOException {
    for (Object record : records) {
      line(out, typed(type, Flat.of(record)));
    }
  }

  private static JsonObject typed(String type, JsonObject json) {
    json.addProperty("type", type);
    return json;
  }

  private static void line(Writer out, JsonObject json) throws IOException {
    out.write(GSON.toJson(json));
    out.write('\n');
  }

  private static JsonObject json(Tape tape) {
    JsonObject json = new JsonObject();
    json.addProperty("member", tape.member());
    json.addProperty("purpose", tape.purpose().name());
    json.addProperty("end", tape.end());
    json.add("requests", messages(tape.requests()));
    JsonArray nanos = new JsonArray();
    tape.arrivals().forEach(arrival -> nanos.add(arrival.nanos()));
    json.add("nanos", nanos);
    json.add("responses", messages(tape.responses()));
    return json;
  }

  private static JsonObject json(MemberState state) {
    JsonObject json = new JsonObject();
    json.addProperty("member", state.member());
    json.addProperty("revision", state.revision());
    json.addProperty("compactRevision", state.compactRevision());
    json.addProperty("hash", state.hash());
    json.add("pairs", messages(state.pairs()));
    return json;
  }

  private static JsonArray messages(List<? extends MessageLite> messages) {
    JsonArray array = new JsonArray();
    messages.forEach(
        message -> array.add(Base64.getEncoder().encodeToString(message.toByteArray())));
    return array;
  }

  /**
   * Reads a recording.
   *
   * @throws IOException also when it isn't one
   */
  public static Recording read(Path file) throws IOException {
    RecordingFile recording = new RecordingFile();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        recording.take(GSON.fromJson(line, JsonObject.class));
      }
    } catch (RuntimeException malformed) {
      throw new IOException(file + " is no recording: " + malformed.getMessage(), malformed);
    }
    return recording.whole();
  }

  private void take(JsonObject json) throws IOException {
    String type = json.get("type").getAsString();
    switch (type) {
      case "run" -> run = json;
      case "operation" -> operations.add(OperationJson.read(json));
      case "tape" -> tapes.add(tape(json));
      case "hold" -> holds.add(Flat.read(json, Hold.class));
      case "lease" -> leases.add(Flat.read(json, LeaseLife.class));
      case "compaction" -> compactions.add(json.get("revision").getAsLong());
      case "leader" -> leaders.add(Flat.read(json, LeaderWatch.Said.class));
      case "fault" -> faults.add(FaultJson.read(json));
      case "state" -> states.add(state(json));
      default -> throw new IOException("a line of type " + type);
    }
  }

  private Recording whole() throws IOException {
    if (!run.has("version") || run.get("version").getAsInt() != VERSION) {
      throw new IOException("not a recording of version " + VERSION);
    }
    return new Recording(
        run.get("seed").getAsLong(),
        run.get("members").getAsInt(),
        run.get("began").getAsLong(),
        run.get("ended").getAsLong(),
        operations,
        tapes,
        holds,
        leases,
        compactions,
        leaders,
        faults,
        states);
  }

  private static Tape tape(JsonObject json) throws InvalidProtocolBufferException {
    List<WatchCreateRequest> requests = new ArrayList<>();
    for (ByteString bytes : bytes(json.getAsJsonArray("requests"))) {
      requests.add(WatchCreateRequest.parseFrom(bytes));
    }
    List<Tape.Arrival> arrivals = new ArrayList<>();
    List<ByteString> responses = bytes(json.getAsJsonArray("responses"));
    for (int i = 0; i < responses.size(); i++) {
      arrivals.add(
          new Tape.Arrival(
              json.getAsJsonArray("nanos").get(i).getAsLong(),
              WatchResponse.parseFrom(responses.get(i))));
    }
    return new Tape(
        json.get("member").getAsInt(),
        Tape.Purpose.valueOf(json.get("purpose").getAsString()),
        requests,
        arrivals,
        json.get("end").getAsString());
  }

  private static MemberState state(JsonObject json) throws InvalidProtocolBufferException {
    List<KeyValue> pairs = new ArrayList<>();
    for (ByteString bytes : bytes(json.getAsJsonArray("pairs"))) {
      pairs.add(KeyValue.parseFrom(bytes));
    }
    return new MemberState(
        json.get("member").getAsInt(),
        json.get("revision").getAsLong(),
        json.get("compactRevision").getAsLong(),
        json.get("hash").getAsString(),
        pairs);
  }

  private static List<ByteString> bytes(JsonArray array) {
    List<ByteString> all = new ArrayList<>();
    array.forEach(
        text -> all.add(ByteString.copyFrom(Base64.getDecoder().decode(text.getAsString()))));
    return all;
  }
}
