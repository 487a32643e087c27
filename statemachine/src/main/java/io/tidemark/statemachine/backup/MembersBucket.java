package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Bucket {@code members}: id in hexadecimal to JSON. It tells where a backup came from; a restored
 * cluster has the members that it is restored for.
 */
final class MembersBucket implements BucketRows {
  @Override
  public String name() {
    return "members";
  }

  @Override
  public void write(ReadView view, Out out) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (Member member : MemberTable.members(view)) {
      rows.put(Long.toHexString(member.getID()), json(member));
    }
    for (Map.Entry<String, String> row : rows.entrySet()) {
      out.put(ByteString.copyFromUtf8(row.getKey()), ByteString.copyFromUtf8(row.getValue()));
    }
  }

  @Override
  public void read(ByteString key, ByteString value, StoreLoad into) {
    // the old cluster's
  }

  private static String json(Member member) {
    StringBuilder json = new StringBuilder();
    json.append("{\"id\":").append(Long.toUnsignedString(member.getID()));
    json.append(",\"peerURLs\":").append(list(member.getPeerURLsList()));
    if (member.getIsLearner()) {
      json.append(",\"isLearner\":true");
    }
    if (!member.getName().isEmpty()) {
      json.append(",\"name\":").append(quoted(member.getName()));
    }
    if (member.getClientURLsCount() > 0) {
      json.append(",\"clientURLs\":").append(list(member.getClientURLsList()));
    }
    return json.append('}').toString();
  }

  private static String list(List<String> texts) {
    return texts.stream().map(MembersBucket::quoted).collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < ' ' || c == '"' || c == '\\') {
        out.append("\\u00").append(Character.forDigit(c >> 4, 16));
        out.append(Character.forDigit(c & 15, 16));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
