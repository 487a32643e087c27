package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * A transaction as text: comparisons, requests on success, requests on failure, one a line, each
 * group ended by a blank line. Pure.
 */
final class TxnScript {
  private static final Pattern COMPARE =
      Pattern.compile(
          "(\\w+)\\((\"(?:[^\"\\\\]|\\\\.)*\")\\)\\s*([<=>!]+)\\s*(\"(?:[^\"\\\\]|\\\\.)*\")");
  private static final Pattern WORD =
      Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|(\\S+)");

  private final Session session;

  TxnScript(Session session) {
    this.session = session;
  }

  TxnRequest parse(List<String> lines) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    int group = 0;
    for (String line : lines) {
      String text = line.strip();
      if (text.isEmpty()) {
        group++;
      } else if (group == 0) {
        txn.addCompare(compare(text));
      } else if (group == 1) {
        txn.addSuccess(request(text));
      } else if (group == 2) {
        txn.addFailure(request(text));
      }
    }
    return txn.build();
  }

  private static Compare compare(String text) {
    Matcher parts = COMPARE.matcher(text);
    if (!parts.matches()) {
      throw invalid("malformed comparison: " + text);
    }
    Compare.Builder compare =
        Compare.newBuilder().setKey(ByteString.copyFromUtf8(unquote(parts.group(2))));
    switch (parts.group(3)) {
      case "=" -> compare.setResult(Compare.CompareResult.EQUAL);
      case "!=" -> compare.setResult(Compare.CompareResult.NOT_EQUAL);
      case ">" -> compare.setResult(Compare.CompareResult.GREATER);
      case "<" -> compare.setResult(Compare.CompareResult.LESS);
      default -> throw invalid("unknown result op: " + parts.group(3));
    }
    String value = unquote(parts.group(4));
    switch (parts.group(1)) {
      case "ver", "version" ->
          compare.setTarget(Compare.CompareTarget.VERSION).setVersion(number(value, 10));
      case "c", "create" ->
          compare.setTarget(Compare.CompareTarget.CREATE).setCreateRevision(number(value, 10));
      case "m", "mod" ->
          compare.setTarget(Compare.CompareTarget.MOD).setModRevision(number(value, 10));
      case "val", "value" ->
          compare.setTarget(Compare.CompareTarget.VALUE).setValue(ByteString.copyFromUtf8(value));
      case "lease" -> compare.setTarget(Compare.CompareTarget.LEASE).setLease(number(value, 16));
      default ->
          throw invalid(
              "malformed comparison: " + text + " (unknown target " + parts.group(1) + ")");
    }
    return compare.build();
  }

  private static long number(String text, int radix) {
    try {
      return Long.parseLong(text, radix);
    } catch (NumberFormatException e) {
      throw invalid("invalid txn compare request: " + text + " is not a number");
    }
  }

  private RequestOp request(String line) {
    List<String> words = words(line);
    String[] rest = words.subList(1, words.size()).toArray(String[]::new);
    switch (words.get(0)) {
      case "put" -> {
        PutCommand put = parsed(new PutCommand(session), rest);
        return RequestOp.newBuilder().setRequestPut(put.request(ByteString.EMPTY)).build();
      }
      case "get" -> {
        GetCommand get = parsed(new GetCommand(session), rest);
        return RequestOp.newBuilder().setRequestRange(get.request()).build();
      }
      case "del" -> {
        DeleteCommand delete = parsed(new DeleteCommand(session), rest);
        return RequestOp.newBuilder().setRequestDeleteRange(delete.request()).build();
      }
      default -> throw invalid("invalid txn request: unknown command " + words.get(0));
    }
  }

  private static <C> C parsed(C command, String[] args) {
    try {
      new CommandLine(command).setExpandAtFiles(false).parseArgs(args);
      return command;
    } catch (ParameterException e) {
      throw invalid("invalid txn request: " + e.getMessage());
    }
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      if (word.group(1) != null) {
        words.add(unquote("\"" + word.group(1) + "\""));
      } else {
        words.add(word.group(2) != null ? word.group(2) : word.group(3));
      }
    }
    return words;
  }

  /** The text of a literal in double quotes. */
  private static String unquote(String literal) {
    StringBuilder text = new StringBuilder();
    int i = 1;
    while (i < literal.length() - 1) {
      char c = literal.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escaped = literal.charAt(i++);
      switch (escaped) {
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case '"', '\\' -> text.append(escaped);
        default -> throw invalid("unknown escape in " + literal);
      }
    }
    return text.toString();
  }

  private static CommandFailure invalid(String message) {
    return new CommandFailure(CommandFailure.INVALID_INPUT, message);
  }
}
