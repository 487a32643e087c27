// What changed between two values, line by line; inside a changed line, what lies between its
// common beginning and end.

import { asText, shown, utf8 } from "./bytes.js";
import { h } from "./dom.js";
import { hexLines } from "./hex.js";
import { jsonText } from "./json.js";

// The table of the comparison has this many cells at most.
const CELLS_MAX = 1_000_000;
const SHOWN_MAX = 400;
const LINE_MAX = 2000;

/** A value as lines, in the form in which both values can be compared. */
function linesOf(a, b) {
  const texts = [asText(a), asText(b)];
  if (texts.includes(null)) return [a, b].map((bytes) => hexLines(bytes.subarray(0, 16 * 512)));
  const laidOut = texts.map((text) => (text.length < 200_000 ? jsonText(text) : null));
  return laidOut.includes(null) ? texts.map((text) => (text === "" ? [] : text.split("\n"))) : laidOut;
}

/** Steps [sign, line], sign one of " ", "-", "+". */
export function compare(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  const kept = (lines) => lines.map((line) => [" ", line]);
  return [...kept(before.slice(0, head)), ...middle(a, b), ...kept(before.slice(before.length - tail))];
}

function middle(a, b) {
  if ((a.length + 1) * (b.length + 1) > CELLS_MAX) {
    return [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
  }
  // longest[i][j]: lines that a from i on and b from j on have in common, in order
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const steps = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push([" ", a[i++]]);
      j++;
    } else if (i < a.length && (j === b.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) steps.push(["-", a[i++]]);
    else steps.push(["+", b[j++]]);
  }
  return steps;
}

// Leaves of each unchanged stretch only what surrounds a change.
function contexts(steps, around = 3) {
  const near = steps.map(([sign], i) => sign !== " " || steps.slice(Math.max(0, i - around), i + around + 1).some(([other]) => other !== " "));
  const kept = [];
  steps.forEach((step, i) => {
    if (near[i]) kept.push(step);
    else if (i === 0 || near[i - 1]) kept.push(["…", ""]);
  });
  return kept;
}

// The parts of a line: common beginning, what differs, common end.
function parts(line, other) {
  let head = 0;
  while (head < line.length && head < other.length && line[head] === other[head]) head++;
  let tail = 0;
  while (tail < line.length - head && tail < other.length - head && line[line.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  const text = (from, to) => shown(utf8(line.slice(from, to).join("")), { most: LINE_MAX });
  return [text(0, head), h("mark", {}, text(head, line.length - tail)), text(line.length - tail, line.length)];
}

/** The difference between two values as an element. */
export function difference(before, after) {
  const [a, b] = linesOf(before, after);
  const steps = contexts(compare(a, b));
  if (!steps.some(([sign]) => sign !== " " && sign !== "…")) return h("p", { class: "quiet" }, "The same value was written again.");
  const rows = steps.slice(0, SHOWN_MAX).map(([sign, line], i) => {
    // A line that was replaced by one line is compared with it.
    const alone = (at) => steps[at]?.[0] === "-" && steps[at + 1]?.[0] === "+" && steps[at - 1]?.[0] !== "-" && steps[at + 2]?.[0] !== "+";
    const other = sign === "-" && alone(i) ? steps[i + 1][1] : sign === "+" && alone(i - 1) ? steps[i - 1][1] : null;
    const text = other === null ? [shown(utf8(line), { most: LINE_MAX })] : parts([...line], [...other]);
    const kind = sign === "-" ? "gone" : sign === "+" ? "come" : sign === " " ? "" : "gap";
    return h("div", { class: `row ${kind}` }, h("span", { class: "sign" }, sign), h("span", {}, text));
  });
  if (steps.length > SHOWN_MAX) rows.push(h("p", { class: "quiet" }, `${steps.length - SHOWN_MAX} more lines`));
  return h("div", { class: "diff code" }, rows);
}
