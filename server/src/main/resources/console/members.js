// Members: who leads, and how far each is.

import { count, h, heading, hex, show, size } from "./dom.js";
import { spark } from "./plot.js";

function role(member) {
  if (!member.answers) return ["no answer", "bad"];
  if (member.leader === member.id) return ["leader", "leads"];
  if (member.leader === "0") return ["no leader", "bad"];
  return [member.learner ? "learner" : "follower", ""];
}

function figure(name, text, title = "") {
  return h("div", { title }, h("dt", {}, name), h("dd", {}, text));
}

function link(url) {
  const safe = /^https?:\/\//.test(url);
  return safe ? h("a", { href: `${url.replace(/\/$/, "")}/console/`, rel: "noreferrer", title: "The console of that member" }, url) : url;
}

function card(member, cluster) {
  const [text, kind] = role(member);
  const lags = cluster.lags.get(member.id) ?? [];
  const titles = h("header", {}, h("h2", {}, member.name), h("code", { title: "Member id" }, hex(member.id)), h("span", { class: `pill ${kind}` }, text));
  const urls = h("p", { class: "urls" }, member.urls.map((url) => [link(url), " "]), member.id === cluster.self ? h("em", {}, "this one") : null);
  if (!member.answers) return h("article", { class: "card silent", "data-member": member.name }, titles, h("p", { class: "quiet" }, "Did not answer the member that you are connected to."), urls);
  return h(
    "article",
    { class: `card ${kind}`, "data-member": member.name },
    titles,
    h(
      "dl",
      { class: "figures" },
      figure("term", count(member.term)),
      figure("committed", count(member.commit), "Highest log index that it knows to be committed"),
      figure("applied", count(member.applied), "Highest log index in its store"),
      figure("revision", count(member.revision), "Revision of its keys"),
      figure("data", size(member.bytesInUse), `${count(member.bytes)} bytes allocated`),
      figure("answers in", member.id === cluster.self ? "–" : `${member.roundTrip.toFixed(1)} ms`, "Over the peer port, seen from this member"),
    ),
    h(
      "div",
      { class: `lag ${member.lag > 1000 ? "bad" : ""}` },
      h("span", {}, "lag ", h("b", {}, count(member.lag)), member.lag === 1 ? " entry" : " entries"),
      spark(lags),
      h("span", { class: "quiet", title: "Age of the last word from the leader" }, member.leader === member.id ? "leads" : `heard ${count(member.age)} ms ago`),
    ),
    urls,
  );
}

export function create({ cluster }) {
  const cards = h("div", { class: "cards" });
  const events = h("ol", { class: "events" });
  const element = h("div", {}, heading("Members", "Lag is what the cluster has committed and a member has not applied yet."), cards, h("h2", { class: "apart" }, "Seen since this page was opened"), events);
  function update() {
    show(cards, cluster.members.map((member) => card(member, cluster)));
    show(events, cluster.events.map(({ at, text, kind }) => h("li", { class: kind }, h("time", {}, at), text)));
  }
  return { element, start: update, stop() {}, update };
}
