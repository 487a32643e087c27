// One key with its value, as text, JSON or hexadecimal.

import { asText, shown, toBase64 } from "./bytes.js";
import { button, count, h, hex, show, size } from "./dom.js";
import { hexLines } from "./hex.js";
import { jsonElement, jsonLines } from "./json.js";

const TEXT_SHOWN = 64 * 1024;
const HEX_SHOWN = 4 * 1024;
const JSON_MAX = 128 * 1024;
const FORMATS = { text: "Text", json: "JSON", hex: "Hex" };

export class ValueView {
  constructor() {
    this.element = h("section", { class: "value", "aria-label": "Value" });
    this.wish = null;
    this.whole = false;
    this.blank("Choose a key", "Its value as of the chosen revision appears here, with its history below.");
  }

  blank(title, text) {
    this.pair = null;
    show(this.element, h("div", { class: "empty" }, h("strong", {}, title), h("p", {}, text)));
  }

  /** pair: { key, value } as bytes, the rest as the gateway says it. */
  open(pair) {
    if (this.pair === null || toBase64(this.pair.key) !== toBase64(pair.key)) this.whole = false;
    this.pair = pair;
    this.draw();
  }

  /** Shows values in this format from now on, where they can be shown so. */
  format(name) {
    if (this.pair === null) return;
    this.wish = name;
    this.draw();
  }

  draw() {
    const { key, value } = this.pair;
    const text = asText(value);
    const lines = text !== null && value.length <= JSON_MAX ? jsonLines(text) : null;
    const possible = { text: true, json: lines !== null, hex: true };
    const usual = lines !== null ? "json" : text !== null ? "text" : "hex";
    const format = this.wish && possible[this.wish] ? this.wish : usual;
    const tabs = Object.entries(FORMATS).map(([name, label]) =>
      h("button", { type: "button", role: "tab", "aria-selected": String(name === format), disabled: !possible[name], onclick: () => this.format(name) }, label),
    );
    const copy = button("Copy", "Copy the value", () => navigator.clipboard?.writeText(text ?? toBase64(value)));
    show(
      this.element,
      h("div", { class: "headline" }, h("h2", {}, shown(key, { most: 2048 })), h("div", { class: "tabs", role: "tablist" }, tabs), copy),
      this.facts(),
      this.body(format, value, lines),
    );
  }

  facts() {
    const { value, create_revision: created = "0", mod_revision: changed = "0", version = "0", lease = "0" } = this.pair;
    const fact = (name, text) => h("div", {}, h("dt", {}, name), h("dd", {}, text));
    return h(
      "dl",
      { class: "facts" },
      fact("created at", count(BigInt(created))),
      fact("changed at", count(BigInt(changed))),
      fact("version", count(BigInt(version))),
      fact("size", size(value.length)),
      lease === "0" ? null : fact("lease", h("a", { href: "#/leases" }, hex(lease))),
    );
  }

  body(format, value, lines) {
    if (value.length === 0) return h("p", { class: "quiet" }, "The value is empty.");
    if (format === "json") return jsonElement(lines);
    const most = this.whole ? Infinity : format === "hex" ? HEX_SHOWN : TEXT_SHOWN;
    const cut = value.length > most ? value.subarray(0, most) : value;
    const body = format === "hex" ? h("pre", { class: "code" }, hexLines(cut).join("\n")) : h("pre", { class: "code wrap" }, shown(cut, { keepLines: true }));
    const all = () => {
      this.whole = true;
      this.draw();
    };
    return cut === value ? body : [body, button(`Show all ${size(value.length)}`, "Show the whole value", all, { class: "more" })];
  }
}
