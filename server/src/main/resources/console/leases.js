// Leases with what is left of them and the keys that would go with them.

import { call, isAbort } from "./api.js";
import { fromBase64, shown } from "./bytes.js";
import { button, count, empty, h, heading, hex, show } from "./dom.js";

const PAGE = 50;
const AT_ONCE = 4;
const REFRESH = 3000;
const KEYS_SHOWN = 8;

export function create({ fail }) {
  const body = h("div", {});
  const note = h("p", { class: "quiet under" });
  const element = h("div", {}, heading("Leases", "When one ends, its keys are deleted."), note, body);
  note.textContent = "Reading…";
  let shownMost = PAGE;
  let timer;
  let aborter = new AbortController();
  const known = new Map();

  async function look() {
    clearTimeout(timer);
    aborter.abort();
    aborter = new AbortController();
    const { signal } = aborter;
    try {
      const { leases = [] } = await call("/v3/lease/leases", {}, signal);
      const ids = leases.map(({ ID }) => ID);
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
      const visible = ids.slice(0, shownMost);
      draw(ids, visible);
      const queue = [...visible];
      await Promise.all(Array.from({ length: AT_ONCE }, () => worker(queue, signal)));
      draw(ids, visible);
    } catch (failure) {
      if (isAbort(failure)) return;
      fail(failure);
    }
    if (!signal.aborted) timer = setTimeout(look, REFRESH);
  }

  async function worker(queue, signal) {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const answer = await call("/v3/lease/timetolive", { ID: id, keys: true }, signal);
      known.set(id, { left: Number(answer.TTL ?? 0), granted: Number(answer.grantedTTL ?? 0), keys: answer.keys ?? [] });
    }
  }

  function draw(ids, visible) {
    if (ids.length === 0) {
      note.textContent = "";
      show(body, empty("No leases", "Nobody has been granted one."));
      return;
    }
    note.textContent = `${count(ids.length)} in all${ids.length > visible.length ? `, ${count(visible.length)} shown` : ""}.`;
    const more = () => {
      shownMost += PAGE;
      look();
    };
    const names = ["lease", "time left", "", "keys"];
    show(
      body,
      h("table", { class: "leases" }, h("thead", {}, h("tr", {}, names.map((name) => h("th", {}, name)))), h("tbody", {}, visible.map((id) => row(id, known.get(id))))),
      ids.length > visible.length ? button("More", "Show more leases", more, { class: "more" }) : null,
    );
  }

  function row(id, lease) {
    if (!lease) return h("tr", {}, h("td", {}, h("code", {}, hex(id))), h("td", { class: "quiet" }, "…"), h("td", {}), h("td", {}));
    if (lease.left < 0) return null;
    const share = lease.granted ? Math.max(0, Math.min(1, lease.left / lease.granted)) : 0;
    const rest = lease.keys.length - KEYS_SHOWN;
    return h(
      "tr",
      {},
      h("td", {}, h("code", { title: `${id} in decimal` }, hex(id))),
      h("td", { class: "number" }, `${count(lease.left)} s`, h("span", { class: "quiet" }, ` of ${count(lease.granted)}`)),
      h("td", {}, h("div", { class: `gauge ${share < 0.2 ? "low" : ""}` }, h("i", { style: { width: `${share * 100}%` } }))),
      h(
        "td",
        { class: "key" },
        lease.keys.length === 0 ? h("em", {}, "none") : null,
        lease.keys.slice(0, KEYS_SHOWN).map((key) => h("a", { class: "chip", href: `#/keys?key=${encodeURIComponent(key)}` }, shown(fromBase64(key), { most: 120 }))),
        rest > 0 ? h("span", { class: "quiet" }, ` and ${count(rest)} more`) : null,
      ),
    );
  }

  return {
    element,
    start: look,
    stop() {
      clearTimeout(timer);
      aborter.abort();
    },
    update() {},
  };
}
