package io.tidemark.clusterconfig;

/** The answer to {@code --help}. */
final class HelpText {
  private HelpText() {}

  static String render(FlagTable table) {
    StringBuilder text = new StringBuilder();
    text.append("Usage:\n\n  tidemark [flags]\n    Start a member.\n\n");
    text.append("  tidemark --version\n    Show the version.\n\n");
    text.append("Every flag has a variable: --some-flag is ETCD_SOME_FLAG. A flag beats its");
    text.append(" variable;\nwith --config-file the file alone counts.\n\nFlags:\n");
    for (Flag flag : table.all()) {
      text.append("  --").append(flag.name());
      if (!flag.defaultValue().isEmpty()) {
        text.append(" '").append(flag.defaultValue()).append('\'');
      }
      text.append("\n    ").append(flag.text());
      switch (flag.standing()) {
        case PENDING -> text.append(" Not supported yet.");
        case REFUSED -> text.append(" Not supported yet: refused.");
        case FOREIGN, HONOURED -> {}
      }
      text.append('\n');
    }
    return text.toString();
  }
}
