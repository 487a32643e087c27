// The kept versions of one key, newest first, and what each changed.

import { call, isAbort } from "./api.js";
import { fromBase64, NOTHING, toBase64 } from "./bytes.js";
import { button, count, h, show, size } from "./dom.js";
import { difference } from "./diff.js";

const PAGE = 50;

export class HistoryView {
  /** onVersion(revision): somebody chose a version. onVersions(revisions): these are known. */
  constructor({ onVersion, onVersions, onFailure }) {
    this.onVersion = onVersion;
    this.onVersions = onVersions;
    this.onFailure = onFailure;
    this.list = h("ol", { class: "versions" });
    this.change = h("div", { class: "change" });
    this.note = h("p", { class: "quiet" });
    this.older = button("Older versions", "Read older versions", () => this.read(true), { class: "more" });
    this.element = h("section", { class: "history", "aria-label": "History" }, h("h2", {}, "History"), h("div", { class: "split" }, h("div", {}, this.list, this.older, this.note), this.change));
    this.close();
  }

  close() {
    this.key = null;
    this.versions = [];
    this.aborter?.abort();
    this.element.hidden = true;
  }

  /** Shows a key's history; `revision` is the one looked at, 0 for the newest. */
  async open(key, revision) {
    const other = this.key === null || toBase64(this.key) !== toBase64(key);
    this.key = key;
    this.revision = revision;
    if (other) this.versions = [];
    await this.read(false);
  }

  /** Another revision is looked at. */
  at(revision) {
    this.revision = revision;
    if (this.key !== null) this.draw();
  }

  async read(older) {
    this.aborter?.abort();
    this.aborter = new AbortController();
    const last = this.versions[this.versions.length - 1];
    const limit = older ? PAGE : Math.min(100, Math.max(PAGE, this.versions.length));
    const request = { key: toBase64(this.key), limit };
    if (older && last) request.before = String(last.revision);
    try {
      const answer = await call("/console/api/history", request, this.aborter.signal);
      const page = (answer.versions ?? []).map(({ revision, deleted = false, kv = null }) => ({
        revision: Number(revision),
        deleted,
        version: kv ? Number(kv.version) : 0,
        value: kv ? fromBase64(kv.value) : NOTHING,
      }));
      this.versions = older ? [...this.versions, ...page] : page;
      this.more = Boolean(answer.more);
      this.oldest = Number(answer.compact_revision);
      this.onVersions(this.versions.map(({ revision }) => revision));
      this.draw();
    } catch (failure) {
      if (!isAbort(failure)) this.onFailure(failure);
    }
  }

  /** The version that is visible at the revision looked at; -1 when there is none. */
  current() {
    return this.versions.findIndex(({ revision }) => this.revision === 0 || revision <= this.revision);
  }

  /** Goes to the next older (1) or newer (-1) version. */
  step(by) {
    const to = this.versions[this.current() + by];
    if (to) this.onVersion(to.revision);
  }

  draw() {
    this.element.hidden = this.versions.length === 0;
    const current = this.current();
    show(this.list, this.versions.map((version, i) => this.row(version, i, i === current)));
    this.older.hidden = !this.more;
    this.note.textContent = this.more ? "" : this.oldest > 0 ? `Nothing older is kept: compacted at ${count(this.oldest)}.` : "This is all of it.";
    show(this.change, current < 0 ? h("p", { class: "quiet" }, "The key was not there yet.") : this.changes(current));
  }

  row({ revision, deleted, version, value }, i, current) {
    const before = this.versions[i + 1];
    const fresh = !deleted && version === 1;
    const what = deleted ? "deleted" : fresh ? "created" : "changed";
    const grown = !deleted && before && !before.deleted && !fresh ? value.length - before.value.length : null;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: what, "aria-current": current ? "true" : undefined, onclick: () => this.onVersion(revision) },
        h("b", {}, count(revision)),
        h("span", {}, what),
        h("span", { class: "size" }, deleted ? "" : size(value.length)),
        h("span", { class: "size" }, grown ? `${grown > 0 ? "+" : "−"}${count(Math.abs(grown))} B` : ""),
      ),
    );
  }

  changes(i) {
    const version = this.versions[i];
    const before = this.versions[i + 1];
    if (version.deleted) return [h("h3", {}, `Deleted at ${count(version.revision)}`), before ? difference(before.value, NOTHING) : null];
    if (version.version === 1) return [h("h3", {}, `Created at ${count(version.revision)}`), difference(NOTHING, version.value)];
    if (!before) return h("p", { class: "quiet" }, this.more ? "Read older versions to see what changed." : "What it changed is compacted.");
    return [h("h3", {}, `From ${count(before.revision)} to ${count(version.revision)}`), difference(before.value, version.value)];
  }
}
