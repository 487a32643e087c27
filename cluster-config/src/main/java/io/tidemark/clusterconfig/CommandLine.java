package io.tidemark.clusterconfig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command line taken apart by the rules of Go's flag package: one dash or two, {@code
 * --flag=value} or {@code --flag value}, {@code --flag} alone for booleans, the last one wins.
 * Values are not looked at here.
 *
 * @param values flag name as typed to its text
 * @param problems what could not be understood
 */
record CommandLine(
    Map<String, String> values, List<String> problems, boolean helpAsked, boolean versionAsked) {

  static CommandLine parse(String[] args) {
    Map<String, String> values = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    boolean help = false;
    boolean version = false;
    int at = 0;
    while (at < args.length) {
      String arg = args[at++];
      if (arg.equals("--")) {
        break;
      }
      if (arg.length() < 2 || arg.charAt(0) != '-') {
        problems.add("'" + arg + "' is not a valid flag");
        continue;
      }
      String body = arg.substring(arg.startsWith("--") ? 2 : 1);
      int equals = body.indexOf('=');
      String name = equals < 0 ? body : body.substring(0, equals);
      if (name.isEmpty() || name.startsWith("-")) {
        problems.add("bad flag syntax: " + arg);
        continue;
      }
      if (name.equals("help") || name.equals("h")) {
        help = true;
        continue;
      }
      if (name.equals("version")) {
        version = equals < 0 || Settings.truth(body.substring(equals + 1)).orElse(true);
        continue;
      }
      Flag flag = FlagTable.INSTANCE.find(name);
      if (flag == null) {
        problems.add("flag provided but not defined: -" + name);
        // What follows without a dash was meant as its value.
        at = equals < 0 && at < args.length && !args[at].startsWith("-") ? at + 1 : at;
      } else if (equals >= 0) {
        values.put(name, body.substring(equals + 1));
      } else if (flag.kind() == Flag.Kind.BOOL) {
        values.put(name, "true");
      } else if (at < args.length) {
        values.put(name, args[at++]);
      } else {
        problems.add("flag needs an argument: -" + name);
      }
    }
    while (at < args.length) {
      problems.add("'" + args[at++] + "' is not a valid flag");
    }
    return new CommandLine(values, problems, help, version);
  }
}
