// The keys as folders, a page at a time. What is on the page is what was opened: a million keys
// elsewhere cost nothing.

import { call, isAbort } from "./api.js";
import { fromBase64, plainly, same, shown, startsWith, toBase64 } from "./bytes.js";
import { count, h, short, show } from "./dom.js";

const PAGE = 200;

function folder(key, level) {
  return { key, level, folder: true, open: false, children: [], more: false, count: null };
}

export class KeyTree {
  /** onChoose(key): somebody chose a key. onFailure(failure). */
  constructor({ onChoose, onFailure }) {
    this.onChoose = onChoose;
    this.onFailure = onFailure;
    this.root = folder(new Uint8Array(0), 0);
    this.separator = new TextEncoder().encode("/");
    this.revision = 0;
    this.chosen = null;
    this.focused = null;
    this.aborter = new AbortController();
    this.element = h("div", { class: "tree", role: "tree", tabindex: "0", "aria-label": "Keys" });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => {
      const row = event.target.closest("[role=treeitem]");
      if (row) this.activate(this.rows()[Number(row.dataset.row)]);
    });
  }

  /** Shows the keys with a prefix. */
  async start(prefix, separator) {
    this.separator = separator;
    this.root = folder(prefix, 0);
    this.root.open = true;
    this.focused = null;
    await this.reload();
  }

  /** Shows another revision; 0 means the newest. */
  async at(revision) {
    if (revision !== this.revision) this.forgetCounts(this.root);
    this.revision = revision;
    await this.reload();
  }

  // A number of keys belongs to its revision: better none than another one's.
  forgetCounts(node) {
    for (const child of node.children) {
      if (!child.folder) continue;
      child.count = null;
      this.forgetCounts(child);
    }
  }

  /** Reads every open folder again; what was asked for before is given up. */
  async reload() {
    this.aborter.abort();
    this.aborter = new AbortController();
    const signal = this.aborter.signal;
    try {
      await this.refresh(this.root, signal);
      if (!signal.aborted) this.draw();
      await this.counts(this.root, signal);
    } catch (failure) {
      this.failed(failure);
      return;
    }
    // Nobody waits for these: where counting takes long, each open folder takes as long again.
    this.countsBelow(this.root, signal).catch((failure) => this.failed(failure));
  }

  failed(failure) {
    if (!isAbort(failure)) this.onFailure(failure);
  }

  async refresh(node, signal) {
    const had = new Map(node.children.filter((child) => child.folder).map((child) => [toBase64(child.key), child]));
    const wanted = Math.max(PAGE, Math.min(node.children.length, 1000));
    const page = await this.page(node, null, wanted, signal);
    node.children = page.children.map((child) => Object.assign(had.get(toBase64(child.key)) ?? child, { count: had.get(toBase64(child.key))?.count ?? null }));
    node.more = page.more;
    await Promise.all(node.children.filter((child) => child.open).map((child) => this.refresh(child, signal)));
  }

  async page(node, after, limit, signal, counted = false) {
    const request = { prefix: toBase64(node.key), separator: toBase64(this.separator), revision: String(this.revision), limit, count: counted };
    if (after) request.after = toBase64(after);
    const answer = await call("/console/api/children", request, signal);
    const children = (answer.children ?? []).map((child) => {
      const key = fromBase64(child.key);
      return child.folder ? Object.assign(folder(key, node.level + 1), { count: counted ? Number(child.count ?? 0) : null }) : { key, level: node.level + 1, folder: false, size: Number(child.value_size ?? 0) };
    });
    return { children, more: Boolean(answer.more), count: Number(answer.count ?? 0) };
  }

  // How many keys each folder on the page has; asked for after the page is there.
  async counts(node, signal) {
    const counted = await this.page(node, null, Math.min(1000, Math.max(1, node.children.length)), signal, true);
    node.count = counted.count;
    for (const child of counted.children) {
      const shownChild = node.children.find((other) => other.folder && child.folder && same(other.key, child.key));
      if (shownChild) shownChild.count = child.count;
    }
    this.draw();
  }

  async countsBelow(node, signal) {
    for (const child of node.children.filter((below) => below.open)) {
      await this.counts(child, signal);
      await this.countsBelow(child, signal);
    }
  }

  async toggle(node, open = !node.open) {
    node.open = open;
    if (open && node.children.length === 0) await this.grow(node);
    this.draw();
  }

  async grow(node) {
    const signal = this.aborter.signal;
    try {
      const last = node.children[node.children.length - 1];
      const page = await this.page(node, last?.key ?? null, PAGE, signal);
      node.children.push(...page.children);
      node.more = page.more;
      this.draw();
      if (node.children.length <= PAGE) await this.counts(node, signal);
    } catch (failure) {
      this.failed(failure);
    }
  }

  /** Opens the folders that lead to a key, as far as they are on the page, and chooses it. */
  async reveal(key) {
    this.chosen = key;
    let node = this.root;
    for (let next = node; next; ) {
      node = next;
      next = node.children.find((child) => child.folder && startsWith(key, child.key));
      if (next && !next.open) await this.toggle(next, true);
    }
    this.draw();
  }

  async activate(row) {
    if (!row) return;
    this.focused = row;
    if (row.grows) await this.grow(row.grows);
    else if (row.node.folder) await this.toggle(row.node);
    else {
      this.chosen = row.node.key;
      this.draw();
      this.onChoose(row.node.key);
    }
  }

  rows() {
    const rows = [];
    const visit = (node) => {
      for (const child of node.children) {
        rows.push({ node: child, parent: node });
        if (child.folder && child.open) visit(child);
      }
      if (node.more) rows.push({ grows: node, parent: node });
    };
    visit(this.root);
    return rows;
  }

  isFocused(row) {
    const focused = this.focused;
    if (!focused) return false;
    return row.grows ? focused.grows === row.grows : !focused.grows && same(focused.node.key, row.node.key) && focused.node.folder === row.node.folder;
  }

  draw() {
    const rows = this.rows();
    show(this.element, rows.length ? rows.map((row, i) => this.row(row, i)) : h("p", { class: "quiet" }, "No keys here."));
    const focused = this.element.querySelector(".focused");
    focused?.scrollIntoView({ block: "nearest" });
    if (focused) this.element.setAttribute("aria-activedescendant", focused.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  row(row, i) {
    const level = (row.grows ? row.grows.level : row.parent.level) + 1;
    const props = { role: "treeitem", "aria-level": String(level), "data-row": String(i), id: `row-${i}`, class: this.isFocused(row) ? "focused" : "", style: { paddingLeft: `${0.6 + (level - 1) * 1.1}rem` } };
    if (row.grows) return h("div", { ...props, class: `${props.class} grows` }, `${PAGE} more…`);
    const { node, parent } = row;
    const name = node.key.subarray(parent.key.length);
    if (!node.folder) {
      const chosen = this.chosen !== null && same(this.chosen, node.key);
      const label = name.length === 0 ? h("em", {}, "(the prefix itself)") : shown(name, { most: 300 });
      return h("div", { ...props, "aria-selected": String(chosen), title: plainly(node.key.subarray(0, 1000)) }, h("span", { class: "twist" }), label);
    }
    return h(
      "div",
      { ...props, class: `${props.class} folder`, "aria-expanded": String(node.open) },
      h("span", { class: "twist" }, node.open ? "▾" : "▸"),
      shown(name, { most: 300 }),
      h("span", { class: "count", title: node.count === null ? "" : `${count(node.count)} keys` }, node.count === null ? "" : short(node.count)),
    );
  }

  key(event) {
    const rows = this.rows();
    const at = rows.findIndex((row) => this.isFocused(row));
    const go = (to) => {
      this.focused = rows[Math.max(0, Math.min(rows.length - 1, to))];
      this.draw();
    };
    const row = rows[at];
    const node = row?.node;
    const actions = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at < 0 ? rows.length - 1 : at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      PageDown: () => go(at + 20),
      PageUp: () => go(at - 20),
      Enter: () => this.activate(row),
      " ": () => this.activate(row),
      ArrowRight: () => (node?.folder && !node.open ? this.toggle(node, true) : go(at + 1)),
      ArrowLeft: () => (node?.folder && node.open ? this.toggle(node, false) : go(rows.findIndex((other) => other.node === row?.parent))),
    };
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  }
}

/** What somebody typed as a separator, or a slash. */
export function separatorOf(text) {
  return new TextEncoder().encode(text === "" ? "/" : text);
}

