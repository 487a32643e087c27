package io.tidemark.ctl;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Asks for a password: twice and unseen at a terminal, else one line of the input. */
final class NewPassword {
  private NewPassword() {}

  static String read(Session session, String user, boolean interactive) {
    Console console = interactive ? System.console() : null;
    if (console == null) {
      return line(session);
    }
    String first = typed(console, "Password of " + user + ": ");
    if (first.isEmpty()) {
      throw CommandFailure.badArguments("empty password");
    }
    if (!first.equals(typed(console, "Type password of " + user + " again for confirmation: "))) {
      throw CommandFailure.badArguments("given passwords are different.");
    }
    return first;
  }

  private static String typed(Console console, String question) {
    char[] typed = console.readPassword("%s", question);
    return typed == null ? "" : new String(typed);
  }

  private static String line(Session session) {
    try {
      String line =
          new BufferedReader(new InputStreamReader(session.in(), StandardCharsets.UTF_8))
              .readLine();
      if (line == null || line.isEmpty()) {
        throw CommandFailure.badArguments("empty password");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
