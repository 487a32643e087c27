package io.tidemark.it.browser;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with a profile of its own. Closing kills it. */
public final class Browser implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final Running running;
  private final int port;

  private Browser(Running running, int port) {
    this.running = running;
    this.port = port;
  }

  /** Whether there is one on this machine. */
  public static boolean isInstalled() {
    return program().isPresent();
  }

  /**
   * Starts one.
   *
   * @param directory for its profile and log
   */
  public static Browser start(Path directory) {
    Path profile = directory.resolve("profile");
    Running running =
        Command.of(program().orElseThrow())
            .with(
                "--headless=new",
                // It visits pages of this test only; and root can't have the sandbox.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--ignore-certificate-errors",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .start(directory.resolve("browser.log"));
    Path told = profile.resolve("DevToolsActivePort");
    int port = Await.value("the browser's port", START, () -> firstLine(told));
    return new Browser(running, port);
  }

  /** A new page of this size; nothing is loaded yet. */
  public Page open(int width, int height) {
    try {
      HttpResponse<String> made =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      return new Page(new DevTools(firstPage(made.body())), width, height);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while opening a page", interrupted);
    }
  }

  private static URI firstPage(String list) {
    JsonArray targets = JsonParser.parseString(list).getAsJsonArray();
    for (JsonElement target : targets) {
      if (target.getAsJsonObject().get("type").getAsString().equals("page")) {
        return URI.create(target.getAsJsonObject().get("webSocketDebuggerUrl").getAsString());
      }
    }
    throw new AssertionError("no page in " + list);
  }

  private static @Nullable Integer firstLine(Path file) {
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream().findFirst().map(Integer::valueOf).orElse(null)
          : null;
    } catch (IOException busy) {
      return null;
    }
  }

  private static Optional<String> program() {
    for (String name : NAMES) {
      for (String folder : Objects.requireNonNullElse(System.getenv("PATH"), "").split(":", -1)) {
        if (Files.isExecutable(Path.of(folder, name))) {
          return Optional.of(Path.of(folder, name).toString());
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    running.process().descendants().forEach(ProcessHandle::destroyForcibly);
    running.close();
    running.process().onExit().join();
  }
}
