package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.statemachine.request.RequestSummary;
import java.util.List;

/** An entry as the log may show it; see {@link RequestSummary}. Pure. */
public final class EntrySummary {
  private EntrySummary() {}

  /**
   * How many commands it holds, and the largest of them.
   *
   * @throws EntryFormatException if it is none
   */
  public static String of(ByteString entry) {
    List<Command> commands = EntryCodec.decode(entry).commands();
    if (commands.isEmpty()) {
      return "no command";
    }
    Command largest = commands.get(0);
    for (Command command : commands) {
      if (command.encoded().size() > largest.encoded().size()) {
        largest = command;
      }
    }
    String text = largest.on(Kinds.ALL);
    return commands.size() == 1 ? text : commands.size() + " commands, the largest: " + text;
  }

  private enum Kinds implements Command.Cases<String> {
    ALL;

    @Override
    public String put(Command.Put put) {
      return "put " + RequestSummary.of(put.request());
    }

    @Override
    public String deleteRange(Command.DeleteRange deleteRange) {
      return "delete " + RequestSummary.of(deleteRange.request());
    }

    @Override
    public String txn(Command.Txn txn) {
      return "txn " + RequestSummary.of(txn.request());
    }

    @Override
    public String compact(Command.Compact compact) {
      return "compaction " + RequestSummary.of(compact.request());
    }

    @Override
    public String publishMember(Command.PublishMember publish) {
      return "publish " + publish.member().getName();
    }

    @Override
    public String autoCompact(Command.AutoCompact compact) {
      return "automatic compaction " + RequestSummary.of(compact.request());
    }

    @Override
    public String changeMembers(Command.ChangeMembers change) {
      return "change of members";
    }

    @Override
    public String alarm(Command.Alarm alarm) {
      return "alarm " + alarm.request().getAction();
    }

    @Override
    public String raiseAlarm(Command.RaiseAlarm alarm) {
      return "alarm " + alarm.alarm().getAlarm();
    }

    @Override
    public String downgrade(Command.Downgrade downgrade) {
      return "downgrade";
    }

    @Override
    public String leaseGrant(Command.LeaseGrant grant) {
      return "lease grant " + RequestSummary.of(grant.request());
    }

    @Override
    public String leaseRevoke(Command.LeaseRevoke revoke) {
      return "lease revoke " + RequestSummary.of(revoke.request());
    }

    @Override
    public String renewLeases(Command.RenewLeases renew) {
      return "lease renewals";
    }

    @Override
    public String expireLease(Command.ExpireLease expire) {
      return "lease expiry";
    }

    /** Passwords are near, so nothing is shown. */
    @Override
    public String auth(Command.Auth auth) {
      return "change of users or roles";
    }

    @Override
    public String onBehalf(Command.OnBehalf onBehalf) {
      return onBehalf.command().on(this);
    }
  }
}
