// Keys and values are bytes. Here they become something that can be looked at without being misled.

import { h } from "./dom.js";

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ENCODER = new TextEncoder();

// Controls, format characters (which turn the direction of text around, or have no width),
// separators of lines, and whatever has no glyph.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

export const NOTHING = new Uint8Array(0);

export function fromBase64(text) {
  if (!text) return NOTHING;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBase64(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}

export function utf8(text) {
  return ENCODER.encode(text);
}

/** The text, or null when the bytes aren't UTF-8. */
export function asText(bytes) {
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}

export function same(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function startsWith(bytes, prefix) {
  return bytes.length >= prefix.length && same(bytes.subarray(0, prefix.length), prefix);
}

/** Where the keys with a prefix end, as a range says it. */
export function prefixEnd(prefix) {
  for (let i = prefix.length - 1; i >= 0; i--) {
    if (prefix[i] < 255) {
      const end = prefix.slice(0, i + 1);
      end[i]++;
      return end;
    }
  }
  return new Uint8Array([0]);
}

function escapeByte(byte) {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}

function escapePoint(character) {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (character === "\r") return "\\r";
  const point = character.codePointAt(0);
  return point < 0x100 ? escapeByte(point) : `\\u{${point.toString(16)}}`;
}

// How long the UTF-8 sequence is that begins here; 0 when there is none.
function sequence(bytes, at) {
  const first = bytes[at];
  const length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return length === 1 || asText(bytes.subarray(at, at + length)) !== null ? length : 0;
}

/**
 * Runs of plain text and of escapes, so that what is displayed can't be taken for something else:
 * no control, no turned direction, no invisible character, no broken UTF-8 gets through.
 */
export function runs(bytes, keepLines = false) {
  const found = [];
  const add = (text, escaped) => {
    const last = found[found.length - 1];
    if (last && last.escaped === escaped) last.text += text;
    else found.push({ text, escaped });
  };
  const whole = asText(bytes);
  const plain = (text) => {
    for (const character of text) {
      const kept = keepLines && (character === "\n" || character === "\t");
      if (!kept && UNSEEN.test(character)) add(escapePoint(character), true);
      else add(character, false);
    }
  };
  if (whole !== null) {
    plain(whole);
    return found;
  }
  for (let i = 0; i < bytes.length; ) {
    const length = sequence(bytes, i);
    if (length === 0) add(escapeByte(bytes[i++]), true);
    else {
      plain(STRICT.decode(bytes.subarray(i, i + length)));
      i += length;
    }
  }
  return found;
}

/** Bytes as an element: escapes look different from the same characters as text. */
export function shown(bytes, { keepLines = false, most = Infinity } = {}) {
  const cut = bytes.length > most ? bytes.subarray(0, most) : bytes;
  return h(
    "bdi",
    { class: "bytes", dir: "ltr" },
    runs(cut, keepLines).map((run) => (run.escaped ? h("span", { class: "esc" }, run.text) : run.text)),
    cut === bytes ? null : h("span", { class: "esc" }, "…"),
  );
}

/** Bytes as plain text with escapes, for titles and the address. */
export function plainly(bytes) {
  return runs(bytes).map((run) => run.text).join("");
}

/** What somebody typed: text, with \xNN for single bytes and \\ for a backslash. */
export function typed(text) {
  const out = [];
  const pattern = /\\x([0-9a-fA-F]{2})|\\\\|[^\\]+|\\/gu;
  for (const [piece, code] of text.matchAll(pattern)) {
    if (code) out.push(parseInt(code, 16));
    else out.push(...utf8(piece === "\\\\" ? "\\" : piece));
  }
  return new Uint8Array(out);
}

/** The inverse of typed: text that gives these bytes. */
export function typable(bytes) {
  const whole = asText(bytes);
  if (whole !== null && !UNSEEN.test(whole)) return whole.replaceAll("\\", "\\\\");
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const length = sequence(bytes, i);
    const character = length ? STRICT.decode(bytes.subarray(i, i + length)) : "";
    if (!length || UNSEEN.test(character)) {
      for (let j = 0; j < Math.max(1, length); j++) text += escapeByte(bytes[i + j]);
    } else text += character === "\\" ? "\\\\" : character;
    i += Math.max(1, length);
  }
  return text;
}
