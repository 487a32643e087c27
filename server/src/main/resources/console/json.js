// Lays JSON out over lines without evaluating it: a number of 20 digits stays what it is.

import { h } from "./dom.js";

const TOKEN = /\s+|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([[\]{},:])/y;

/** Tokens as [kind, text]; null when the text isn't JSON of one object or array. */
function tokens(text) {
  try {
    const value = JSON.parse(text);
    if (value === null || typeof value !== "object") return null;
  } catch {
    return null;
  }
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    if (match[1] !== undefined) found.push(["string", match[1]]);
    else if (match[2] !== undefined) found.push(["number", match[2]]);
    else if (match[3] !== undefined) found.push(["word", match[3]]);
    else if (match[4] !== undefined) found.push(["mark", match[4]]);
  }
  return found;
}

/** Lines of [kind, text] pieces; null when the text isn't JSON of one object or array. */
export function jsonLines(text) {
  const all = tokens(text);
  if (all === null) return null;
  const lines = [[]];
  let depth = 0;
  const line = () => lines.push([["mark", "  ".repeat(depth)]]);
  const add = (kind, piece) => lines[lines.length - 1].push([kind, piece]);
  all.forEach(([kind, piece], i) => {
    const next = all[i + 1]?.[1];
    if (piece === "{" || piece === "[") {
      add(kind, piece);
      if (next !== "}" && next !== "]") {
        depth++;
        line();
      }
    } else if (piece === "}" || piece === "]") {
      const before = all[i - 1][1];
      if (before !== "{" && before !== "[") {
        depth--;
        line();
      }
      add(kind, piece);
    } else if (piece === "," && kind === "mark") {
      add(kind, piece);
      line();
    } else if (piece === ":" && kind === "mark") add(kind, ": ");
    else add(kind === "string" && next === ":" ? "name" : kind, piece);
  });
  return lines;
}

/** Lines as plain text, to be compared. */
export function jsonText(text) {
  return jsonLines(text)?.map((line) => line.map(([, piece]) => piece).join("")) ?? null;
}

/** Lines as an element. */
export function jsonElement(lines) {
  return h(
    "pre",
    { class: "code json" },
    lines.flatMap((line) => [...line.map(([kind, piece]) => (kind === "mark" ? piece : h("span", { class: kind }, piece))), "\n"]),
  );
}
