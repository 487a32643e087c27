// Watchers of every member by state, and the slowest by name.

import { fromBase64, same, prefixEnd, shown } from "./bytes.js";
import { count, empty, h, heading, short, show, size } from "./dom.js";

const STATES = [
  ["synced", "has seen everything"],
  ["unsynced", "behind: reads the past"],
  ["victims", "behind: its client does not take what it is sent"],
];

function bar(watchers) {
  const all = watchers.synced + watchers.unsynced + watchers.victims;
  return h(
    "div",
    { class: "bar-of", role: "img", "aria-label": STATES.map(([state]) => `${watchers[state]} ${state}`).join(", ") },
    STATES.map(([state]) => (all && watchers[state] ? h("i", { class: state, style: { flexGrow: String(watchers[state]) } }) : null)),
  );
}

function card(member) {
  const { watchers } = member;
  const fact = (name, text) => h("div", {}, h("dt", {}, name), h("dd", {}, text));
  return h(
    "article",
    { class: "card", "data-member": member.name },
    h("header", {}, h("h2", {}, member.name), h("span", { class: "quiet" }, `${count(watchers.streams)} ${watchers.streams === 1 ? "stream" : "streams"}`)),
    bar(watchers),
    h("ul", { class: "states" }, STATES.map(([state, meaning]) => h("li", { title: meaning }, h("i", { class: state }), `${state} `, h("b", { "data-state": state }, count(watchers[state]))))),
    h("dl", { class: "figures" }, fact("events sent", short(watchers.events)), fact("waiting", `${count(watchers.pending)} events`), fact("queued", size(watchers.queued))),
  );
}

function range(slow) {
  const key = fromBase64(slow.key);
  const end = fromBase64(slow.range_end);
  if (end.length === 0) return shown(key, { most: 200 });
  const open = end.length === 1 && end[0] === 0;
  if (open && (key.length === 0 || (key.length === 1 && key[0] === 0))) return h("em", {}, "every key");
  if (!open && same(end, prefixEnd(key))) return [shown(key, { most: 200 }), h("span", { class: "esc" }, "*")];
  return [shown(key, { most: 100 }), " … ", open ? "" : shown(end, { most: 100 })];
}

function row({ member, slow, behind }) {
  return h(
    "tr",
    {},
    h("td", { class: "number" }, h("b", {}, count(behind))),
    h("td", {}, h("span", { class: `pill ${slow.victim ? "bad" : "warn"}` }, slow.victim ? "victim" : "unsynced")),
    h("td", { class: "key" }, range(slow)),
    h("td", {}, slow.owner || h("em", {}, "the member itself")),
    h("td", { class: "number" }, slow.watch_id ?? "0"),
    h("td", { class: "number" }, count(Number(slow.next_revision))),
    h("td", {}, member.name),
  );
}

export function create({ cluster }) {
  const cards = h("div", { class: "cards" });
  const slowest = h("div", {});
  const element = h("div", {}, heading("Watchers", "Each is served by the member it is connected to."), cards, h("h2", { class: "apart" }, "Furthest behind"), slowest);
  function update() {
    const answering = cluster.members.filter((member) => member.answers);
    show(cards, answering.map(card));
    const slow = answering
      .flatMap((member) => member.watchers.slowest.map((one) => ({ member, slow: one, behind: Math.max(0, member.revision - Number(one.next_revision ?? 0) + 1) })))
      .sort((a, b) => b.behind - a.behind)
      .slice(0, 30);
    const lagging = answering.reduce((all, { watchers }) => all + watchers.unsynced + watchers.victims, 0);
    if (slow.length) {
      const names = ["revisions behind", "state", "watches", "client", "id", "next revision", "member"];
      show(slowest, h("table", { class: "slowest" }, h("thead", {}, h("tr", {}, names.map((name) => h("th", {}, name)))), h("tbody", {}, slow.map(row))));
    } else if (lagging) show(slowest, empty("Only root sees which keys are watched", `${count(lagging)} watchers are behind.`));
    else show(slowest, empty("Nobody is behind", "Every watcher has been sent all that it watches."));
  }
  return { element, start: update, stop() {}, update };
}
