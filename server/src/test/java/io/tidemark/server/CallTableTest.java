package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of calls in {@code docs/compatibility.md} names every call of the protocol, once. */
class CallTableTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(\\w+/\\w+)` \\| (same|differs|ours|absent) \\|");

  @Test
  void everyCallHasItsRow() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("../docs/compatibility.md")))
        .results()
        .forEach(row -> assertEquals(null, rows.put(row.group(1), row.group(2)), row.group(1)));
    Map<String, String> expected = new TreeMap<>();
    BareCalls.SERVICES.forEach(service -> expect(service, expected));
    rows.replaceAll((call, here) -> here.equals("differs") ? "same" : here);
    rows.values().removeIf("absent"::equals);
    assertEquals(expected, rows);
  }

  private static void expect(ServiceDescriptor service, Map<String, String> expected) {
    String name = service.getName().substring(service.getName().lastIndexOf('.') + 1);
    String here = name.equals("Console") ? "ours" : "same";
    for (MethodDescriptor<?, ?> method : service.getMethods()) {
      expected.put(name + "/" + method.getBareMethodName(), here);
    }
  }
}
