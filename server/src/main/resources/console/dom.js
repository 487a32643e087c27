// Builds elements. Text only ever becomes text: nothing here, or anywhere, parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. Children are elements or text. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replaces what is inside an element. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function button(label, title, onclick, more = {}) {
  return h("button", { type: "button", title, onclick, ...more }, label);
}

/** A heading with what belongs beside it. */
export function heading(title, note, ...tools) {
  return h("div", { class: "heading" }, h("h1", {}, title), note ? h("p", {}, note) : null, h("div", { class: "beside" }, tools));
}

export function empty(title, text) {
  return h("div", { class: "empty" }, h("strong", {}, title), h("p", {}, text));
}

const GROUPED = new Intl.NumberFormat("en-US");

/** A whole number with groups of three. */
export function count(number) {
  return GROUPED.format(number);
}

/** A number of bytes for people. */
export function size(bytes) {
  let value = Number(bytes);
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (value < 1024 || unit === "GiB") return `${value < 10 && unit !== "B" ? value.toFixed(1) : Math.round(value)} ${unit}`;
    value /= 1024;
  }
  return "";
}

/** A number in few characters: 950, 1.2k, 38k, 1.4M. */
export function short(number) {
  const magnitude = Math.abs(number);
  if (magnitude >= 1e9) return `${trim(number / 1e9)}G`;
  if (magnitude >= 1e6) return `${trim(number / 1e6)}M`;
  if (magnitude >= 1e3) return `${trim(number / 1e3)}k`;
  return trim(number);
}

function trim(number) {
  const magnitude = Math.abs(number);
  return String(Number(number.toFixed(magnitude >= 10 ? 0 : magnitude >= 1 ? 1 : 2)));
}

/** Member ids come as decimal text; etcd's tools print them in hexadecimal. */
export function hex(id) {
  return BigInt(id).toString(16);
}

export function clock(date = new Date()) {
  return date.toTimeString().slice(0, 8);
}
