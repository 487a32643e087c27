package io.tidemark.it.browser;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.tidemark.it.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** One page, as somebody at the keyboard sees it. */
public final class Page implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final DevTools tools;

  Page(DevTools tools, int width, int height) {
    this.tools = tools;
    for (String domain : List.of("Page", "Runtime", "Log")) {
      tools.call(domain + ".enable", new JsonObject());
    }
    resize(width, height, 1);
  }

  /** Another size of the window, in pixels of the style sheet; `scale` is for pictures. */
  public void resize(int width, int height, double scale) {
    JsonObject metrics = new JsonObject();
    metrics.addProperty("width", width);
    metrics.addProperty("height", height);
    metrics.addProperty("deviceScaleFactor", scale);
    metrics.addProperty("mobile", false);
    tools.call("Emulation.setDeviceMetricsOverride", metrics);
  }

  /** What the system says about colours. */
  public void prefer(String scheme) {
    JsonObject feature = new JsonObject();
    feature.addProperty("name", "prefers-color-scheme");
    feature.addProperty("value", scheme);
    JsonArray features = new JsonArray();
    features.add(feature);
    JsonObject media = new JsonObject();
    media.add("features", features);
    tools.call("Emulation.setEmulatedMedia", media);
  }

  public void load(String address) {
    JsonObject where = new JsonObject();
    where.addProperty("url", address);
    JsonObject loaded = tools.call("Page.navigate", where);
    if (loaded.has("errorText")) {
      throw new AssertionError(address + ": " + loaded.get("errorText"));
    }
  }

  /** The value of an expression; promises are waited for. */
  public JsonElement value(String expression) {
    JsonObject request = new JsonObject();
    request.addProperty("expression", expression);
    request.addProperty("awaitPromise", true);
    request.addProperty("returnByValue", true);
    JsonObject answer = tools.call("Runtime.evaluate", request);
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    JsonElement value = answer.getAsJsonObject("result").get("value");
    return value == null ? new JsonPrimitive("undefined") : value;
  }

  /** The visible text of every element that a selector finds, without blanks around its lines. */
  public List<String> texts(String selector) {
    List<String> texts = new ArrayList<>();
    value(
            "[...document.querySelectorAll("
                + new JsonPrimitive(selector)
                + ")].filter(e => e.checkVisibility()).map(e => e.innerText.trim().replace(/\\s*\\n"
                + "\\s*/g, '\\n"
                + "'))")
        .getAsJsonArray()
        .forEach(text -> texts.add(text.getAsString()));
    return texts;
  }

  /** Waits until an expression is true. */
  public void await(String what, String expression) {
    try {
      Await.until(what, SOON, () -> value("Boolean(" + expression + ")").getAsBoolean());
    } catch (AssertionError late) {
      late.addSuppressed(
          new AssertionError(
              "the page says:\n" + value("document.body.innerText") + "\n" + complaints()));
      throw late;
    }
  }

  /** Waits until the texts of what a selector finds are these. */
  public void awaitTexts(String selector, String... wanted) {
    try {
      Await.until(selector, SOON, () -> texts(selector).equals(List.of(wanted)));
    } catch (AssertionError late) {
      throw new AssertionError(
          selector + " says " + texts(selector) + " and not " + List.of(wanted), late);
    }
  }

  /** Waits until some element that a selector finds holds a text. */
  public void awaitText(String selector, String part) {
    try {
      Await.until(
          selector + " with " + part,
          SOON,
          () -> texts(selector).stream().anyMatch(text -> text.contains(part)));
    } catch (AssertionError late) {
      throw new AssertionError(selector + " says " + texts(selector) + ", without " + part, late);
    }
  }

  /** Clicks what a selector finds, once it is there. */
  public void click(String selector) {
    String quoted = new JsonPrimitive(selector).toString();
    await(selector, "document.querySelector(" + quoted + ")");
    var unused = value("document.querySelector(" + quoted + ").click()");
  }

  /** Presses a key of the keyboard and lets it go. */
  public void press(String key) {
    for (String type : List.of("keyDown", "keyUp")) {
      JsonObject event = new JsonObject();
      event.addProperty("type", type);
      event.addProperty("key", key);
      if (key.length() == 1 && type.equals("keyDown")) {
        event.addProperty("text", key);
      }
      if (key.equals("Escape")) {
        event.addProperty("windowsVirtualKeyCode", 27);
      }
      if (key.equals("Enter")) {
        event.addProperty("text", "\r");
        event.addProperty("windowsVirtualKeyCode", 13);
      }
      tools.call("Input.dispatchKeyEvent", event);
    }
  }

  /** Types into what has the focus. */
  public void type(String text) {
    JsonObject inserted = new JsonObject();
    inserted.addProperty("text", text);
    tools.call("Input.insertText", inserted);
  }

  /**
   * How many milliseconds of the page's own clock pass from an action until a condition holds.
   *
   * @param action a statement
   * @param condition an expression, looked at every few milliseconds
   */
  public double millis(String action, String condition) {
    return value(
            "new Promise(done => { const began = performance.now(); "
                + action
                + "; const look = () => ("
                + condition
                + ") ? done(performance.now() - began) : setTimeout(look, 4); look(); })")
        .getAsDouble();
  }

  public void picture(Path file) {
    JsonObject format = new JsonObject();
    format.addProperty("format", "png");
    String data = tools.call("Page.captureScreenshot", format).get("data").getAsString();
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, Base64.getDecoder().decode(data));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** What the page threw, and what the browser had to say: refusals by the policy, for example. */
  public List<String> complaints() {
    return Stream.concat(
            tools.events("Runtime.exceptionThrown").stream()
                .map(event -> event.get("exceptionDetails").toString()),
            tools.events("Log.entryAdded").stream()
                .map(event -> event.getAsJsonObject("entry"))
                .filter(entry -> !entry.get("source").getAsString().equals("network"))
                .map(JsonElement::toString))
        .toList();
  }

  @Override
  public void close() {
    tools.close();
  }
}
