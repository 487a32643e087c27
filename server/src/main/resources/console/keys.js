// Keys: folders on the left, the value and its history on the right, and over both the revision
// that all of it is shown at.

import { call, isAbort } from "./api.js";
import { fromBase64, toBase64, typable, typed } from "./bytes.js";
import { h, heading } from "./dom.js";
import { HistoryView } from "./history.js";
import { Timeline } from "./timeline.js";
import { KeyTree, separatorOf } from "./tree.js";
import { ValueView } from "./value.js";

// A slider that is being dragged moves more often than anybody can read.
const SETTLE = 90;

// How long the page waits before it follows new revisions: at least this, and longer where
// reading took long.
const FOLLOW = 1500;
const FOLLOW_FACTOR = 20;

export function create({ cluster, fail }) {
  const timeline = new Timeline(() => moved());
  const tree = new KeyTree({ onChoose: (key) => choose(key), onFailure: fail });
  const value = new ValueView();
  const history = new HistoryView({ onVersion: (revision) => timeline.go(revision), onVersions: (revisions) => timeline.mark(revisions), onFailure: fail });
  const prefix = h("input", { type: "search", class: "prefix", placeholder: "prefix, or a whole key", "aria-label": "Prefix", spellcheck: "false", autocomplete: "off" });
  const separator = h("input", { type: "text", class: "separator", value: "/", "aria-label": "Separator of folders", title: "Separator of folders", spellcheck: "false" });
  // With two fields and nothing to submit by, Enter would do nothing.
  const enter = h("button", { type: "submit", hidden: true }, "Go");
  const form = h("form", { class: "where-to", onsubmit: submit }, prefix, separator, enter);
  const left = h("div", { class: "pane left" }, form, tree.element);
  const right = h("div", { class: "pane right" }, value.element, history.element);
  const element = h("div", { class: "keys" }, heading("Keys", "Slide back to see them as they were."), timeline.element, h("div", { class: "panes" }, left, right));

  let chosen = null;
  let seen = -1;
  let settling;
  let following;
  let opening = new AbortController();

  function moved() {
    clearTimeout(settling);
    element.classList.toggle("past", !timeline.follows);
    history.at(timeline.revision);
    settling = setTimeout(look, SETTLE);
  }

  async function look() {
    await Promise.all([tree.at(timeline.revision), open()]);
  }

  async function submit(event) {
    event?.preventDefault();
    const bytes = typed(prefix.value);
    await tree.start(bytes, separatorOf(separator.value));
    if (event && bytes.length > 0 && (await exists(bytes))) await choose(bytes);
  }

  async function exists(key) {
    try {
      const answer = await call("/v3/kv/range", { key: toBase64(key), count_only: true, serializable: true, revision: String(timeline.revision) });
      return Boolean(answer.count);
    } catch {
      return false;
    }
  }

  async function choose(key) {
    chosen = key;
    tree.chosen = key;
    timeline.mark([]);
    await Promise.all([open(), history.open(key, timeline.revision)]);
  }

  async function open() {
    if (chosen === null) return;
    opening.abort();
    opening = new AbortController();
    const key = chosen;
    try {
      const answer = await call("/v3/kv/range", { key: toBase64(key), serializable: true, revision: String(timeline.revision) }, opening.signal);
      const pair = answer.kvs?.[0];
      if (pair) value.open({ ...pair, key, value: fromBase64(pair.value) });
      else value.blank("Not there", timeline.follows ? "The key is deleted. Its history below may still have it." : "The key did not exist at this revision.");
    } catch (failure) {
      if (!isAbort(failure)) fail(failure);
    }
  }

  // Follows the newest revision, the more slowly the longer a look takes.
  async function follow(revision) {
    if (!timeline.follows || following || revision === seen || document.hidden) return;
    following = true;
    seen = revision;
    const began = performance.now();
    await Promise.all([tree.reload(), open(), chosen === null ? null : history.open(chosen, 0)]);
    const pause = Math.max(FOLLOW, FOLLOW_FACTOR * (performance.now() - began));
    setTimeout(() => {
      following = false;
    }, pause);
  }

  function update() {
    const own = cluster.own();
    if (!own) return;
    timeline.bounds(own.compacted, own.revision);
    if (seen !== -1) follow(own.revision);
  }

  async function start(parameters) {
    update();
    if (parameters.has("prefix")) prefix.value = typable(fromBase64(parameters.get("prefix")));
    const revision = Number(parameters.get("rev") ?? 0);
    if (revision > 0) timeline.go(revision);
    if (seen === -1 || parameters.has("prefix")) await submit();
    seen = cluster.own()?.revision ?? 0;
    if (parameters.has("key")) {
      const key = fromBase64(parameters.get("key"));
      await choose(key);
      await tree.reveal(key);
    }
  }

  return {
    element,
    start,
    stop() {},
    update,
    keys: {
      "/": () => prefix.select(),
      "[": () => timeline.step(-1),
      "]": () => timeline.step(1),
      "{": () => timeline.step(-100),
      "}": () => timeline.step(100),
      n: () => timeline.go(timeline.newest),
      ",": () => history.step(1),
      ".": () => history.step(-1),
      t: () => value.format("text"),
      j: () => value.format("json"),
      x: () => value.format("hex"),
      k: () => tree.element.focus(),
    },
  };
}
