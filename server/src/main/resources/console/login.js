// Asks who is there, in place of a view, when the cluster wants to know.

import { login } from "./api.js";
import { h } from "./dom.js";

/** onDone(): somebody has logged in. */
export function loginForm(onDone) {
  const name = h("input", { name: "user", autocomplete: "username", required: true, autocapitalize: "none", spellcheck: "false" });
  const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true });
  const problem = h("p", { class: "problem", role: "alert" });
  const send = h("button", { type: "submit", class: "primary" }, "Log in");
  async function submit(event) {
    event.preventDefault();
    send.disabled = true;
    problem.textContent = "";
    try {
      await login(name.value, password.value);
      onDone();
    } catch (failure) {
      problem.textContent = failure.message;
      password.value = "";
      password.focus();
    } finally {
      send.disabled = false;
    }
  }
  return h(
    "form",
    { class: "login card", onsubmit: submit },
    h("h1", {}, "Who is there?"),
    h("p", { class: "quiet" }, "This cluster has users. What you may see is what your roles allow; your login lasts as long as this tab."),
    h("label", {}, "User", name),
    h("label", {}, "Password", password),
    problem,
    send,
  );
}
