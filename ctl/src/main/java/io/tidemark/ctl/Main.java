package io.tidemark.ctl;

import io.grpc.StatusRuntimeException;
import io.tidemark.ctl.bench.BenchCommand;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The entry point of {@code tidemarkctl}. */
public final class Main {
  private static final Set<String> SWITCHES =
      Set.of(
          "--prefix",
          "--from-key",
          "--prev-kv",
          "--keys-only",
          "--count-only",
          "--print-value-only",
          "--ignore-value",
          "--ignore-lease",
          "--range",
          "--learner",
          "--physical",
          "--keys",
          "--once",
          "--listen",
          "--progress-notify",
          "--cluster",
          "--detail",
          "--no-password",
          "--hex",
          "--skip-hash-check",
          "--mark-compacted",
          "--insecure-skip-tls-verify",
          "--insecure-transport");

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    // Libraries log through SLF4J; a command's output is its own. Set before the first logger.
    System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
            false,
            StandardCharsets.UTF_8);
    int exitCode = run(args, System.getenv(), System.in, out, System.err);
    out.flush();
    System.exit(exitCode);
  }

  /**
   * Runs one command.
   *
   * @param env where defaults of global options come from: {@code TIDEMARKCTL_<OPTION>}
   * @return the exit code
   */
  public static int run(
      String[] args, Map<String, String> env, InputStream in, PrintStream out, PrintStream err) {
    CommandLine root = commandLine(env, new Session(new GlobalOptions(), in, out, err));
    root.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    root.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    int exitCode = root.execute(withoutSwitchValues(args));
    out.flush();
    return exitCode;
  }

  private static CommandLine commandLine(Map<String, String> env, Session session) {
    CommandLine member = new CommandLine(MemberCommand.group());
    member.addSubcommand(new MemberCommand.ListCommand(session));
    member.addSubcommand(new MemberChangeCommands.Add(session));
    member.addSubcommand(new MemberChangeCommands.Remove(session));
    member.addSubcommand(new MemberChangeCommands.Update(session));
    member.addSubcommand(new MemberChangeCommands.Promote(session));
    CommandLine endpoint = new CommandLine(EndpointCommand.group());
    endpoint.addSubcommand(new EndpointCommand.StatusCommand(session));
    endpoint.addSubcommand(new EndpointCommand.HealthCommand(session));
    endpoint.addSubcommand(new HashKvCommand(session));
    CommandLine alarm = new CommandLine(AlarmCommand.group());
    alarm
        .addSubcommand(new AlarmCommand.ListCommand(session))
        .addSubcommand(new AlarmCommand.Disarm(session));
    CommandLine lease = new CommandLine(LeaseCommand.group());
    lease
        .addSubcommand(new LeaseCommand.Grant(session))
        .addSubcommand(new LeaseCommand.Revoke(session))
        .addSubcommand(new LeaseCommand.TimeToLive(session))
        .addSubcommand(new LeaseCommand.ListLeases(session))
        .addSubcommand(new LeaseCommand.KeepAlive(session));
    CommandLine lock = new CommandLine(new LockCommand(session));
    CommandLine snapshot = new CommandLine(SnapshotCommand.group());
    snapshot.addSubcommand(new SnapshotSave(session));
    snapshot.addSubcommand(new SnapshotCommand.StatusCommand(session));
    snapshot.addSubcommand(new RestoreCommand(session));
    CommandLine root = new CommandLine(new RootCommand(session.options()));
    root.addSubcommand(new PutCommand(session))
        .addSubcommand(new GetCommand(session))
        .addSubcommand(new DeleteCommand(session))
        .addSubcommand(new TxnCommand(session))
        .addSubcommand(new CompactionCommand(session))
        .addSubcommand(new WatchCommand(session))
        .addSubcommand(lease)
        .addSubcommand(lock)
        .addSubcommand(new ElectCommand(session))
        .addSubcommand(member)
        .addSubcommand(endpoint)
        .addSubcommand(AuthCommand.group(session))
        .addSubcommand(UserCommand.group(session))
        .addSubcommand(RoleCommand.group(session))
        .addSubcommand(snapshot)
        .addSubcommand(new ImportCommand(session))
        .addSubcommand(alarm)
        .addSubcommand(new DefragCommand(session))
        .addSubcommand(new MoveLeaderCommand(session))
        .addSubcommand(new DowngradeCommand(session))
        .addSubcommand(new TopCommand(session))
        .addSubcommand(new BenchCommand())
        .addSubcommand(new VersionCommand(session));
    root.setExpandAtFiles(false)
        .setOverwrittenOptionsAllowed(true)
        .setPosixClusteredShortOptionsAllowed(false)
        .setAbbreviatedSubcommandsAllowed(true)
        .setDefaultValueProvider(argument -> fromEnvironment(env, argument))
        .setParameterExceptionHandler(
            (failure, typed) -> {
              String name = failure.getCommandLine().getCommandSpec().qualifiedName();
              session.err().println("Error: " + failure.getMessage());
              session.err().println("Run '" + name + " --help' for usage.");
              return CommandFailure.BAD_ARGUMENTS;
            })
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, session));
    // What follows the lock's name is another program's.
    lock.setStopAtPositional(true);
    return root;
  }

  private static int report(Exception failure, Session session) throws Exception {
    session.out().flush();
    if (failure instanceof CommandFailure known) {
      session.err().println("Error: " + known.getMessage());
      return known.exitCode();
    }
    if (failure instanceof StatusRuntimeException status) {
      session.err().println("Error: " + Failures.message(status));
      return Failures.exitCode(status);
    }
    throw failure;
  }

  private static @Nullable String fromEnvironment(Map<String, String> env, ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !isGlobal(option)) {
      return null;
    }
    String name = option.longestName().substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
    String value = env.get("TIDEMARKCTL_" + name);
    return value == null || value.isEmpty() ? null : value;
  }

  private static boolean isGlobal(OptionSpec option) {
    return option.inherited() || option.scopeType() == CommandLine.ScopeType.INHERIT;
  }

  /** Go's {@code --switch=true} and {@code --switch=false}, which the parser does not know. */
  private static String[] withoutSwitchValues(String[] args) {
    List<String> kept = new ArrayList<>();
    boolean options = true;
    for (String arg : args) {
      options = options && !arg.equals("--");
      int equals = arg.indexOf('=');
      if (!options || equals < 0 || !SWITCHES.contains(arg.substring(0, equals))) {
        kept.add(arg);
      } else if (arg.endsWith("=true")) {
        kept.add(arg.substring(0, equals));
      } else if (!arg.endsWith("=false")) {
        kept.add(arg);
      }
    }
    return kept.toArray(String[]::new);
  }
}
