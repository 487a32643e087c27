// The frame around the views: which one is shown, the keyboard, the theme, logging in.

import { logout, user, whenLoginNeeded } from "./api.js";
import { Cluster } from "./cluster.js";
import { button, count, h, hex, show } from "./dom.js";
import { helpDialog } from "./help.js";
import { loginForm } from "./login.js";
import { Sampler } from "./rates.js";
import * as alarms from "./alarms.js";
import * as feed from "./feed.js";
import * as keys from "./keys.js";
import * as leases from "./leases.js";
import * as members from "./members.js";
import * as rates from "./rates.js";
import * as watchers from "./watchers.js";

const VIEWS = [
  ["members", "Members", members],
  ["rates", "Rates", rates],
  ["keys", "Keys", keys],
  ["watch", "Watch", feed],
  ["watchers", "Watchers", watchers],
  ["leases", "Leases", leases],
  ["alarms", "Alarms", alarms],
];
const THEME = "tidemark.theme";
const TOLD = 6000;

const main = document.getElementById("main");
const cluster = new Cluster();
const sampler = new Sampler();
const help = helpDialog();
const toast = h("div", { class: "toast", role: "alert", hidden: true });
const made = new Map();
let current = null;
let loggingIn = false;
let hiding;

/** Tells what went wrong, for a while. */
function fail(failure) {
  if (loggingIn) return;
  toast.textContent = failure.message;
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    toast.hidden = true;
  }, TOLD);
}

function view(name) {
  if (!made.has(name)) made.set(name, VIEWS.find(([id]) => id === name)[2].create({ cluster, sampler, fail }));
  return made.get(name);
}

async function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const name = VIEWS.some(([id]) => id === path) ? path : "members";
  if (loggingIn) return;
  const next = view(name);
  if (current !== next) {
    current?.stop();
    current = next;
    show(main, next.element);
    main.dataset.view = name;
  }
  document.title = `${VIEWS.find(([id]) => id === name)[1]} · Tidemark`;
  for (const link of document.querySelectorAll("#rail a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    await next.start(new URLSearchParams(query));
  } catch (failure) {
    fail(failure);
  }
}

function rail() {
  show(
    document.getElementById("rail"),
    VIEWS.map(([id, label], i) => h("a", { href: `#/${id}`, "data-view": id }, h("kbd", {}, String(i + 1)), h("span", {}, label))),
  );
}

function tools() {
  show(
    document.getElementById("tools"),
    user() ? button(`${user()} · log out`, "Log out", leave) : null,
    button("◐", "Dark or light (d)", flip, { "aria-label": "Dark or light" }),
    button("?", "Keyboard (?)", () => help.showModal(), { "aria-label": "Keyboard" }),
  );
}

function pulse() {
  const answering = cluster.members.filter((member) => member.answers).length;
  const leader = cluster.leader();
  const own = cluster.own();
  const state = cluster.failure ? "bad" : !leader ? "bad" : answering < cluster.members.length ? "warn" : "good";
  const text = cluster.failure
    ? cluster.failure.message
    : `${answering} of ${cluster.members.length} answer · ${leader ? `${leader.name} leads` : "no leader"} · revision ${count(own?.revision ?? 0)}`;
  show(document.getElementById("pulse"), h("i", { class: `dot ${state}` }), text);
  show(document.getElementById("where"), own ? [h("b", {}, own.name), h("code", { title: "Cluster id" }, cluster.id ? hex(cluster.id) : "")] : null);
}

function askLogin() {
  if (loggingIn) return;
  loggingIn = true;
  current?.stop();
  current = null;
  made.clear();
  tools();
  const form = loginForm(() => {
    loggingIn = false;
    tools();
    cluster.start();
    route();
  });
  show(main, form);
  main.dataset.view = "login";
  form.querySelector("input").focus();
}

function leave() {
  logout();
  askLogin();
}

function flip() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem(THEME, root.dataset.theme);
}

function keyboard(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || help.open) return;
  const field = event.target.closest("input:not([type=range]), textarea, select");
  if (field) {
    if (event.key === "Escape") field.blur();
    return;
  }
  if (loggingIn) return;
  const number = Number(event.key);
  const action =
    number >= 1 && number <= VIEWS.length
      ? () => {
          location.hash = `#/${VIEWS[number - 1][0]}`;
        }
      : { "?": () => help.showModal(), d: flip }[event.key] ?? current?.keys?.[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

const theme = localStorage.getItem(THEME);
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
document.body.append(help, toast);
whenLoginNeeded(askLogin);
rail();
tools();
cluster.listen(() => {
  pulse();
  if (!loggingIn) current?.update();
});
addEventListener("hashchange", route);
addEventListener("keydown", keyboard);
cluster.start().then(route);
sampler.start();
