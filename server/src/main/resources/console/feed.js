// A live feed of changes. What comes faster than it can be shown is counted, not kept.

import { ApiError, isAbort, stream } from "./api.js";
import { fromBase64, prefixEnd, shown, toBase64, typed } from "./bytes.js";
import { clock, count, h, heading, show } from "./dom.js";

const KEPT = 400;
const DRAW_EVERY = 100;
const RETRY = 1000;

export function create({ fail, cluster }) {
  const prefix = h("input", { type: "search", class: "prefix", placeholder: "prefix; empty for every key", "aria-label": "Prefix", spellcheck: "false", autocomplete: "off" });
  const from = h("input", { type: "text", inputmode: "numeric", class: "exact", placeholder: "now", "aria-label": "From revision", title: "From revision; empty for now" });
  const toggle = h("button", { type: "submit", class: "primary" }, "Watch");
  const hold = h("button", { type: "button", onclick: () => pause(), title: "Pause (p)" }, "Pause");
  const form = h("form", { class: "where-to", onsubmit: submit }, prefix, from, toggle, hold);
  const says = h("p", { class: "says", role: "status" });
  const rows = h("tbody", {});
  const table = h("table", { class: "feed" }, h("thead", {}, h("tr", {}, ["seen", "revision", "", "key", "value"].map((name) => h("th", {}, name)))), rows);
  const element = h("div", {}, heading("Watch", "Every change as it happens, from any kept revision on."), form, says, table);

  let watching = null;
  let paused = false;
  let waiting = [];
  let total = 0;
  let skipped = 0;
  let drawing;

  function say(text) {
    says.textContent = text;
  }

  function status() {
    if (!watching) return;
    const left = skipped ? `, ${count(skipped)} of them too fast to show` : "";
    const news = paused && waiting.length ? `; ${count(waiting.length)} wait` : "";
    say(`${paused ? "Paused" : "Watching"}: ${count(total)} changes${left}${news}.`);
  }

  function pause() {
    paused = !paused;
    hold.textContent = paused ? "Go on" : "Pause";
    draw();
  }

  function stop(text = "Stopped.") {
    watching?.abort();
    watching = null;
    toggle.textContent = "Watch";
    hold.hidden = true;
    say(text);
  }

  function submit(event) {
    event?.preventDefault();
    if (watching) {
      stop();
      return;
    }
    waiting = [];
    total = skipped = 0;
    paused = false;
    hold.textContent = "Pause";
    hold.hidden = false;
    show(rows);
    watching = new AbortController();
    toggle.textContent = "Stop";
    watch(typed(prefix.value), Number(from.value.replaceAll(/\D/g, "")) || 0, watching.signal);
  }

  // Opens the stream, and opens it again behind the last change that was seen when it breaks off.
  async function watch(start, revision, signal) {
    let next = revision;
    const range = start.length ? { key: toBase64(start), range_end: toBase64(prefixEnd(start)) } : { key: "AA==", range_end: "AA==" };
    while (!signal.aborted) {
      try {
        const request = { create_request: { ...range, start_revision: String(next), prev_kv: true, fragment: true } };
        await stream("/v3/watch", request, (message) => {
          if (message.canceled) throw new ApiError(reason(message), 11);
          if (message.created) status();
          if (next === 0 && message.created) next = Number(message.header.revision) + 1;
          for (const change of message.events ?? []) {
            next = Math.max(next, Number(change.kv.mod_revision) + 1);
            take(change);
          }
        }, signal);
        say("The member ended the stream; opening it again.");
      } catch (failure) {
        if (isAbort(failure) || signal.aborted) return;
        if (failure.code !== 14) {
          fail(failure);
          stop(failure.message);
          return;
        }
        say(`Broken off: ${failure.message}. Opening it again from revision ${count(next)}.`);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  function reason(message) {
    const compacted = Number(message.compact_revision ?? 0);
    return message.cancel_reason || (compacted ? `revision is compacted; the oldest readable one is ${count(compacted)}` : "the watch was cancelled");
  }

  function take(change) {
    total++;
    waiting.push({ at: clock(), change });
    if (waiting.length > KEPT) {
      waiting.shift();
      skipped++;
    }
    drawing ??= setTimeout(draw, DRAW_EVERY);
  }

  function draw() {
    clearTimeout(drawing);
    drawing = undefined;
    status();
    if (paused) return;
    const fresh = waiting.reverse().map(({ at, change }) => row(at, change));
    waiting = [];
    rows.prepend(...fresh);
    while (rows.rows.length > KEPT) rows.lastElementChild.remove();
  }

  function row(at, { type = "PUT", kv, prev_kv: before }) {
    const deleted = type === "DELETE";
    const kind = deleted ? "delete" : before || kv.version !== "1" ? "change" : "create";
    const link = `#/keys?key=${encodeURIComponent(kv.key)}&rev=${kv.mod_revision}`;
    return h(
      "tr",
      { class: kind },
      h("td", {}, h("time", {}, at)),
      h("td", { class: "number" }, h("a", { href: link, title: "The keys as of this revision" }, count(BigInt(kv.mod_revision)))),
      h("td", {}, h("span", { class: `pill ${kind}` }, kind)),
      h("td", { class: "key" }, shown(fromBase64(kv.key), { most: 300 })),
      h("td", { class: "text" }, deleted ? h("s", {}, before ? shown(fromBase64(before.value), { most: 160 }) : "") : shown(fromBase64(kv.value), { most: 160 })),
    );
  }

  hold.hidden = true;
  say("Not watching yet.");
  return {
    element,
    start() {
      if (!watching && total === 0) submit();
    },
    stop() {},
    update() {
      from.placeholder = cluster.own() ? `now, ${count(cluster.own().revision)}` : "now";
    },
    keys: { "/": () => prefix.select(), p: () => watching && pause() },
  };
}
