// Line plots in SVG. Colours come from the style sheet, so that they follow the theme.

import { h, s, short } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 96;

// A round number at or above the highest value, so that the scale doesn't twitch.
function ceiling(value, binary = false) {
  if (!(value > 0)) return 1;
  if (binary) return 2 ** Math.ceil(Math.log2(value));
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * magnitude).find((step) => step >= value * 0.9999);
}

function path(values, top, span) {
  let line = "";
  let open = false;
  values.forEach((value, i) => {
    if (value === null || value === undefined || Number.isNaN(value)) {
      open = false;
      return;
    }
    const x = WIDTH - ((values.length - 1 - i) / (span - 1)) * WIDTH;
    const y = HEIGHT - (Math.min(value, top) / top) * (HEIGHT - 6) - 1;
    line += `${open ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    open = true;
  });
  return line;
}

/**
 * A plot of some series over the last `span` samples.
 *
 * unit: a function from a value to its text. binary: the scale ends at a power of two. series: [{ name, values }], newest value last.
 */
export class Plot {
  constructor(title, unit = short, span = 120, binary = false) {
    this.unit = unit;
    this.span = span;
    this.binary = binary;
    this.series = [];
    this.legend = h("ul", { class: "legend" });
    this.top = h("span", { class: "top" });
    this.lines = s("g");
    this.cursor = s("line", { class: "cursor", y1: "0", y2: String(HEIGHT), visibility: "hidden" });
    this.drawing = s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": title },
      s("line", { class: "grid", x1: "0", x2: String(WIDTH), y1: String(HEIGHT - 0.5), y2: String(HEIGHT - 0.5) }),
      s("line", { class: "grid", x1: "0", x2: String(WIDTH), y1: String(HEIGHT / 2), y2: String(HEIGHT / 2) }),
      this.lines,
      this.cursor,
    );
    this.drawing.addEventListener("pointermove", (event) => this.point(event));
    this.drawing.addEventListener("pointerleave", () => this.point(null));
    this.element = h("figure", { class: "plot" }, h("figcaption", {}, h("h2", {}, title), this.legend), h("div", { class: "field" }, this.top, this.drawing));
  }

  draw(series) {
    this.series = series;
    const highest = Math.max(0, ...series.flatMap(({ values }) => values.filter((value) => Number.isFinite(value))));
    const top = ceiling(highest, this.binary);
    this.top.textContent = this.unit(top);
    this.lines.replaceChildren(
      ...series.flatMap(({ values }, i) => {
        const line = path(values, top, this.span);
        if (!line) return [];
        const drawn = [s("path", { class: `line s${i + 1}`, d: line, "vector-effect": "non-scaling-stroke" })];
        if (series.length === 1 && !line.slice(1).includes("M")) {
          const first = WIDTH - ((values.length - 1) / (this.span - 1)) * WIDTH;
          drawn.unshift(s("path", { class: `area s${i + 1}`, d: `${line}L${WIDTH} ${HEIGHT}L${first.toFixed(1)} ${HEIGHT}Z` }));
        }
        return drawn;
      }),
    );
    this.label();
  }

  point(event) {
    if (event === null) {
      this.back = undefined;
      this.cursor.setAttribute("visibility", "hidden");
    } else {
      const box = this.drawing.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      this.back = Math.round((1 - share) * (this.span - 1));
      const x = String(WIDTH * (1 - this.back / (this.span - 1)));
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      this.cursor.setAttribute("visibility", "visible");
    }
    this.label();
  }

  // Values under the pointer, else the newest ones.
  label() {
    this.legend.replaceChildren(
      ...this.series.map(({ name, values }, i) => {
        const value = values[values.length - 1 - (this.back ?? 0)];
        const text = Number.isFinite(value) ? this.unit(value) : "–";
        return h("li", {}, name ? h("i", { class: `key s${i + 1}` }) : null, name ? `${name} ` : null, h("b", {}, text));
      }),
    );
  }
}

/** A small line without axes. */
export function spark(values, span = 60) {
  const top = ceiling(Math.max(0, ...values.filter(Number.isFinite)));
  return s(
    "svg",
    { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    s("path", { class: "line s1", d: path(values, top, span), "vector-effect": "non-scaling-stroke" }),
  );
}
