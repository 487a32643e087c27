package io.tidemark.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ch.qos.logback.classic.LoggerContext;
import io.tidemark.clusterconfig.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessLogTest {
  /** Frames hold passwords and tokens. */
  @ParameterizedTest
  @EnumSource(Logging.Level.class)
  void noLevelShowsWhatGoesOverConnections(Logging.Level level) {
    LoggerContext context = new LoggerContext();
    ProcessLog.levels(context, level);
    for (String library :
        List.of(
            "io.grpc.netty.NettyServerHandler",
            "io.grpc.netty.NettyClientHandler",
            "io.netty.handler.codec.http2.Http2FrameLogger",
            "org.apache.ratis.thirdparty.io.grpc.netty.NettyServerHandler",
            "org.apache.ratis.thirdparty.io.netty.handler.codec.http2.Http2FrameLogger")) {
      assertFalse(context.getLogger(library).isDebugEnabled(), library);
    }
  }

  @TempDir Path directory;

  /** Nobody would miss the log before it is needed. */
  @Test
  void anOutputThatCannotBeWrittenIsRefused() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    for (Path path : List.of(directory, file.resolve("below.log"))) {
      String output = path.toString();
      Logging logging = new Logging(Logging.Level.INFO, Logging.Format.JSON, List.of(output), null);
      IOException refused =
          assertThrows(
              IOException.class, () -> ProcessLog.opened(output, logging, new LoggerContext()));
      assertEquals("open sink \"" + output + "\": can't be written to", refused.getMessage());
    }
  }
}
