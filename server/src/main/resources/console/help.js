// The list of keys on the keyboard.

import { h } from "./dom.js";

const GROUPS = [
  ["Anywhere", [["1 … 7", "the views, from left to right or top to bottom"], ["d", "dark or light"], ["?", "this list"], ["Esc", "leave a field, close this list"]]],
  [
    "Keys",
    [
      ["/", "go to a prefix or a key"],
      ["k", "go to the tree; arrows, Enter, Home and End move in it"],
      ["[ ]", "one revision back, one on"],
      ["{ }", "a hundred back, a hundred on"],
      [", .", "the older version of this key, the newer one"],
      ["n", "now: follow the newest revision"],
      ["t j x", "the value as text, as JSON, in hexadecimal"],
    ],
  ],
  ["Watch", [["/", "another prefix"], ["p", "pause, go on"]]],
];

export function helpDialog() {
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keyboard" },
    h("h2", {}, "Keyboard"),
    GROUPS.map(([name, keys]) => [
      h("h3", {}, name),
      h("dl", {}, keys.map(([key, meaning]) => h("div", {}, h("dt", {}, key.split(" ").map((one) => (one === "…" ? one : h("kbd", {}, one)))), h("dd", {}, meaning)))),
    ]),
    close,
  );
  return dialog;
}
