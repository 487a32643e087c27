package io.tidemark.it.report;

/** Text that a browser shows as it is. */
final class Html {
  private Html() {}

  static String text(String any) {
    return any.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace("\"", "&quot;");
  }
}
