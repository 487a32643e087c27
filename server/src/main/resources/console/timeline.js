// The revision slider: from the oldest readable revision to the newest, with a mark where the
// chosen key changed.

import { button, count, h, show } from "./dom.js";

export class Timeline {
  /** onMove(revision): 0 means that the newest revision is followed. */
  constructor(onMove) {
    this.onMove = onMove;
    this.oldest = 1;
    this.newest = 1;
    this.revision = 0;
    this.marks = [];
    this.track = h("div", { class: "marks" });
    this.slider = h("input", { type: "range", min: "1", max: "1", value: "1", "aria-label": "Revision", oninput: () => this.go(Number(this.slider.value)) });
    this.exact = h("input", { type: "text", inputmode: "numeric", class: "exact", "aria-label": "Revision as a number", onchange: () => this.go(Number(this.exact.value.replaceAll(/\D/g, ""))) });
    this.says = h("p", { class: "says", role: "status" });
    this.now = button("Now", "Follow the newest revision (n)", () => this.go(this.newest));
    this.low = h("span", { class: "end" });
    this.high = h("span", { class: "end" });
    this.element = h(
      "section",
      { class: "timeline", "aria-label": "Revisions" },
      h("div", { class: "line" }, button("‹", "One revision back ([)", () => this.step(-1)), this.exact, button("›", "One revision on (])", () => this.step(1)), this.now, this.says),
      h("div", { class: "rail-line" }, this.low, h("div", { class: "groove" }, this.track, this.slider), this.high),
    );
  }

  get follows() {
    return this.revision === 0;
  }

  /** The readable revisions are these now. */
  bounds(oldest, newest) {
    this.oldest = Math.max(1, oldest);
    this.newest = Math.max(newest, this.newest);
    if (!this.follows && this.revision < this.oldest) this.go(this.oldest);
    else this.draw();
  }

  /** Revisions at which the chosen key changed. */
  mark(revisions) {
    this.marks = revisions;
    this.draw();
  }

  step(by) {
    this.go((this.follows ? this.newest : this.revision) + by);
  }

  go(wish) {
    const revision = Math.min(this.newest, Math.max(this.oldest, Math.round(wish) || this.newest));
    const next = revision >= this.newest ? 0 : revision;
    if (next === this.revision) {
      this.draw();
      return;
    }
    this.revision = next;
    this.draw();
    this.onMove(next);
  }

  draw() {
    const at = this.follows ? this.newest : this.revision;
    this.slider.min = String(this.oldest);
    this.slider.max = String(this.newest);
    this.slider.value = String(at);
    if (document.activeElement !== this.exact) this.exact.value = count(at);
    this.low.textContent = count(this.oldest);
    this.high.textContent = count(this.newest);
    this.now.disabled = this.follows;
    this.element.classList.toggle("past", !this.follows);
    this.says.textContent = this.follows ? "The keys as they are now" : `The keys as of revision ${count(at)}, ${count(this.newest - at)} before now`;
    const width = Math.max(1, this.newest - this.oldest);
    const visible = this.marks.filter((mark) => mark >= this.oldest).slice(0, 400);
    show(
      this.track,
      visible.map((mark) => h("i", { class: mark === at ? "here" : "", style: { left: `${((mark - this.oldest) / width) * 100}%` } })),
    );
  }
}
