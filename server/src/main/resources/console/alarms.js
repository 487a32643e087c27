// Alarms that are raised, and how much room the data has before one is.

import { call, isAbort } from "./api.js";
import { count, empty, h, heading, hex, show, size } from "./dom.js";

const REFRESH = 2000;

const MEANINGS = {
  NOSPACE: "The data has reached the quota: puts, grants of leases and transactions that write are refused. Compact, raise the quota or delete keys, then disarm it: etcdctl alarm disarm.",
  CORRUPT: "The members' data differ: nothing is served that could be wrong. See the page on disaster recovery.",
};

export function create({ cluster, fail }) {
  const body = h("div", { class: "alarms" });
  const room = h("div", { class: "cards" });
  const element = h("div", {}, heading("Alarms", ""), body, h("h2", { class: "apart" }, "Room for data"), room);
  let timer;
  let aborter = new AbortController();

  async function look() {
    clearTimeout(timer);
    aborter.abort();
    aborter = new AbortController();
    const { signal } = aborter;
    try {
      const [alarms, status] = await Promise.all([call("/v3/maintenance/alarm", { action: "GET" }, signal), call("/v3/maintenance/status", {}, signal)]);
      draw(alarms.alarms ?? [], Number(status.dbSizeQuota ?? 0));
    } catch (failure) {
      if (isAbort(failure)) return;
      fail(failure);
    }
    if (!signal.aborted) timer = setTimeout(look, REFRESH);
  }

  function draw(alarms, quota) {
    if (alarms.length === 0) show(body, empty("No alarms", "Nothing is wrong as far as the members know."));
    else {
      show(
        body,
        alarms.map(({ memberID = "0", alarm = "NONE" }) =>
          h("article", { class: "card alarm" }, h("header", {}, h("h2", {}, alarm), h("span", { class: "pill bad" }, cluster.name(memberID)), h("code", {}, hex(memberID))), h("p", {}, MEANINGS[alarm] ?? "")),
        ),
      );
    }
    show(
      room,
      cluster.members
        .filter((member) => member.answers)
        .map((member) => {
          const share = quota ? Math.min(1, member.bytes / quota) : 0;
          return h(
            "article",
            { class: "card", "data-member": member.name },
            h("header", {}, h("h2", {}, member.name), h("span", { class: "quiet" }, `${size(member.bytes)} of ${size(quota)}`)),
            h("div", { class: `gauge ${share > 0.8 ? "high" : ""}` }, h("i", { style: { width: `${Math.max(0.5, share * 100)}%` } })),
            h("p", { class: "quiet" }, `${size(member.bytesInUse)} in use; readable from revision ${count(Math.max(1, member.compacted))} to ${count(member.revision)}`),
          );
        }),
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
