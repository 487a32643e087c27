package io.tidemark.judge;

/**
 * A promise that a history breaks.
 *
 * @param kind which promise
 * @param detail what shows it
 * @param key that it is about; empty if it isn't about one
 * @param revision that it is about; 0 if it isn't about one
 */
public record Violation(Kind kind, String detail, String key, long revision) {
  /** One that is about no key or revision in particular. */
  public Violation(Kind kind, String detail) {
    this(kind, detail, "", 0);
  }

  /** Which promise. */
  public enum Kind {
    /** The event log skips or repeats a revision. */
    REVISION_GAP,
    /** An event's version, create revision or previous pair isn't what replay gives. */
    WRONG_FIELDS,
    /** An acknowledged change isn't in the log. */
    LOST_WRITE,
    /** One attempt has two events. */
    APPLIED_TWICE,
    /** A refused attempt has an event. */
    REJECTED_TOOK_EFFECT,
    /** No attempt asked for this event. */
    UNEXPLAINED_EVENT,
    /** A change has a revision not above one that was seen before it began. */
    ORDER,
    /** An answer is older than something that was known before it began. */
    STALE,
    /** An answer shows a revision that was written only after it ended. */
    FUTURE,
    /** A read shows another pair than the log has at its revision. */
    WRONG_READ,
    /** A change shows another previous pair than the log has. */
    WRONG_PREVIOUS,
    /** A swap took the branch that its revision contradicts. */
    WRONG_BRANCH,
    /** A watch delivers one event twice. */
    DUPLICATE_EVENT,
    /** A watch delivers an older event after a newer one. */
    EVENT_ORDER,
    /** A watch skips an event. */
    MISSING_EVENT,
    /** A watch delivers what is not in its range or not in the log. */
    UNEXPECTED_EVENT,
    /** Two lists share a revision. */
    SPLIT_REVISION,
    /** A list's header is below its last event. */
    HEADER_BELOW_EVENT,
    /** An event comes after a bookmark that covers it. */
    AFTER_BOOKMARK,
    /** A bookmark is below an earlier one. */
    BOOKMARK_BACKWARDS,
    /** Something comes after the watch was cancelled. */
    AFTER_CANCEL,
    /** Something comes before the watch was created. */
    BEFORE_CREATED,
    /** A bookmark on a watch that starts later, or an event before its start. */
    BEFORE_START,
    /** Two members tell of one revision, or of the state in the end, in different ways. */
    MEMBERS_DIFFER,
    /** A lock has two holders, or one that isn't in its queue. */
    TWO_HOLDERS,
    /** A lease ended before its time to live had passed since an answered renewal was sent. */
    LEASE_EARLY,
    /** A lease outlived its time though nothing was wrong with the cluster. */
    LEASE_LATE
  }
}
