package io.tidemark.it.verdict;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Records of numbers and texts as JSON objects. */
final class Flat {
  private Flat() {}

  static JsonObject of(Object record) {
    JsonObject json = new JsonObject();
    try {
      for (RecordComponent part : record.getClass().getRecordComponents()) {
        Object value = part.getAccessor().invoke(record);
        if (value instanceof Number number) {
          json.addProperty(part.getName(), number);
        } else {
          json.addProperty(part.getName(), String.valueOf(value));
        }
      }
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalArgumentException(impossible);
    }
    return json;
  }

  static <T extends Record> T read(JsonObject json, Class<T> type) {
    RecordComponent[] parts = type.getRecordComponents();
    Object[] values = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      values[i] = value(json.get(parts[i].getName()), parts[i].getType());
    }
    Class<?>[] types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }

  private static Object value(JsonElement json, Class<?> type) {
    if (type == long.class) {
      return json.getAsLong();
    }
    return type == int.class ? (Object) json.getAsInt() : json.getAsString();
  }
}
