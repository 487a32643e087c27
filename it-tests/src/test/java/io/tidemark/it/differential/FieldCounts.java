package io.tidemark.it.differential;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How often requests used each field, at any depth, by the descriptors: a field that no request
 * ever set is counted as well, with 0. Each value of an enumeration counts on its own.
 */
final class FieldCounts {
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> declared;

  FieldCounts(List<Descriptor> requests) {
    Set<Descriptor> seen = new HashSet<>();
    requests.forEach(request -> expect(request, seen));
    declared = List.copyOf(counts.keySet());
  }

  private void expect(Descriptor type, Set<Descriptor> seen) {
    if (!seen.add(type)) {
      return;
    }
    for (FieldDescriptor field : type.getFields()) {
      switch (field.getJavaType()) {
        case ENUM ->
            field.getEnumType().getValues().stream()
                .filter(value -> value.getNumber() != 0)
                .forEach(value -> counts.put(name(field, value), 0));
        case MESSAGE -> {
          counts.put(name(field), 0);
          expect(field.getMessageType(), seen);
        }
        default -> counts.put(name(field), 0);
      }
    }
  }

  /** Counts what a request sets. */
  void add(Message request) {
    request.getAllFields().forEach(this::add);
  }

  private void add(FieldDescriptor field, Object value) {
    if (field.isRepeated()) {
      List<?> values = (List<?>) value;
      values.forEach(each -> addOne(field, each));
    } else {
      addOne(field, value);
    }
  }

  private void addOne(FieldDescriptor field, Object value) {
    String name = value instanceof EnumValueDescriptor number ? name(field, number) : name(field);
    counts.merge(name, 1, Integer::sum);
    if (value instanceof Message message) {
      add(message);
    }
  }

  /** Fields and values of the descriptors that were used less often than this. */
  List<String> rarerThan(int least) {
    return declared.stream()
        .filter(field -> counts.getOrDefault(field, 0) < least)
        .map(field -> field + "=" + counts.getOrDefault(field, 0))
        .toList();
  }

  /** Everything that was used, values that no descriptor knows included, and what wasn't. */
  Map<String, Integer> byField() {
    return Map.copyOf(counts);
  }

  private static String name(FieldDescriptor field) {
    return field.getContainingType().getName() + "." + field.getName();
  }

  private static String name(FieldDescriptor field, EnumValueDescriptor value) {
    return name(field) + "=" + value.getName();
  }
}
