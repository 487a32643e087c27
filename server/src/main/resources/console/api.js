// Talks to this member, and to nobody else: the JSON gateway, what the console asks beside it, metrics.

const LOGIN = "/v3/auth/authenticate";
const TOKEN = "tidemark.token";
const USER = "tidemark.user";

// What members say to somebody without a login, or with one that has ended.
const NOT_LOGGED_IN = ["etcdserver: user name is empty", "etcdserver: invalid auth token", "etcdserver: authentication failed, invalid auth token"];

export class ApiError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

let onLoginNeeded = () => {};

/** Says what to do when a call needs a login. */
export function whenLoginNeeded(action) {
  onLoginNeeded = action;
}

/** Who is logged in, or null. The token lives as long as the tab. */
export function user() {
  return sessionStorage.getItem(USER);
}

export async function login(name, password) {
  const answer = await call(LOGIN, { name, password });
  sessionStorage.setItem(TOKEN, answer.token);
  sessionStorage.setItem(USER, name);
}

export function logout() {
  sessionStorage.removeItem(TOKEN);
  sessionStorage.removeItem(USER);
}

function token() {
  return sessionStorage.getItem(TOKEN);
}

function failure(body, fallback, sentToken) {
  const error = body && typeof body.error === "object" ? body.error : body;
  const message = error?.message || error?.error || fallback;
  const code = error?.code ?? error?.grpc_code ?? 2;
  // An answer to a call from before the login says nothing about it.
  if ((code === 16 || NOT_LOGGED_IN.includes(message)) && sentToken === token()) {
    logout();
    onLoginNeeded();
  }
  return new ApiError(message, code);
}

async function post(path, body, signal, sentToken) {
  const headers = { "content-type": "application/json" };
  if (sentToken && path !== LOGIN) headers.authorization = sentToken;
  try {
    return await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal, cache: "no-store", credentials: "same-origin" });
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw new ApiError("this member does not answer", 14);
  }
}

/** One call with one answer. */
export async function call(path, body = {}, signal = undefined) {
  const sentToken = token();
  const response = await post(path, body, signal, sentToken);
  let answer = null;
  try {
    answer = await response.json();
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
  }
  if (!response.ok || answer === null) throw failure(answer, `${response.status} ${response.statusText}`, sentToken);
  return answer;
}

/** A call with many answers, one a line; ends when the stream does. */
export async function stream(path, body, onAnswer, signal) {
  const sentToken = token();
  const response = await post(path, body, signal, sentToken);
  if (!response.ok) throw failure(await response.json().catch(() => null), `${response.status} ${response.statusText}`, sentToken);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (!line) continue;
        const message = JSON.parse(line);
        if (message.error) throw failure(message, "the stream ended", sentToken);
        onAnswer(message.result);
      }
    }
  } catch (cause) {
    if (cause.name === "AbortError" || cause instanceof ApiError) throw cause;
    throw new ApiError("the stream broke off", 14);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The metrics page as text. */
export async function metrics(signal) {
  const response = await fetch("/metrics", { signal, cache: "no-store" });
  if (!response.ok) throw new ApiError(`${response.status} ${response.statusText}`, 2);
  return response.text();
}

/** Whether a failure only means that nobody waits any more. */
export function isAbort(failure) {
  return failure?.name === "AbortError";
}
