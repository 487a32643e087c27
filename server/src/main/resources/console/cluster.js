// What is known of the cluster: asked for once a second, told to whoever listens.

import { call, isAbort } from "./api.js";
import { clock, hex } from "./dom.js";

const PERIOD = 1000;
const HIDDEN_PERIOD = 5000;
const KEPT = 120;
const EVENTS_KEPT = 50;
const STALE = 1000;

export class Cluster {
  constructor() {
    this.members = [];
    this.self = null;
    this.id = null;
    this.failure = null;
    this.events = [];
    this.listeners = new Set();
    this.lags = new Map();
    this.round = 0;
  }

  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Asks now, and goes on asking. */
  async start() {
    clearTimeout(this.timer);
    const round = ++this.round;
    try {
      this.take(await call("/console/api/members", {}));
      this.failure = null;
    } catch (failure) {
      if (isAbort(failure)) return;
      this.failure = failure;
    }
    if (round !== this.round) return;
    this.listeners.forEach((listener) => listener(this));
    this.timer = setTimeout(() => this.start(), document.hidden ? HIDDEN_PERIOD : PERIOD);
  }

  take(answer) {
    this.self = answer.header.member_id;
    this.id = answer.header.cluster_id;
    this.members = (answer.members ?? []).map(read).sort((a, b) => a.name.localeCompare(b.name));
    const highest = Math.max(0, ...this.members.map((member) => member.commit ?? 0));
    for (const member of this.members) {
      member.lag = member.answers ? Math.max(0, target(member, highest) - member.applied) : null;
      const lags = this.lags.get(member.id) ?? [];
      lags.push(member.lag);
      if (lags.length > KEPT) lags.shift();
      this.lags.set(member.id, lags);
    }
    this.notice();
  }

  // Writes down what changed since the last look.
  notice() {
    const leader = this.leader()?.id ?? null;
    const term = Math.max(0, ...this.members.map((member) => member.term ?? 0));
    const silent = new Set(this.members.filter((member) => !member.answers).map((member) => member.id));
    if (this.seen) {
      if (leader !== this.seen.leader) {
        this.note(leader ? `${this.name(leader)} leads, term ${term}` : `no leader, term ${term}`, leader ? "leads" : "bad");
      } else if (term !== this.seen.term) this.note(`term ${term}`, "");
      for (const id of silent) if (!this.seen.silent.has(id)) this.note(`${this.name(id)} does not answer`, "bad");
      for (const id of this.seen.silent) if (!silent.has(id)) this.note(`${this.name(id)} answers again`, "good");
    } else this.note(leader ? `${this.name(leader)} leads, term ${term}` : "no leader", leader ? "leads" : "bad");
    this.seen = { leader, term, silent };
  }

  note(text, kind) {
    this.events.unshift({ at: clock(), text, kind });
    this.events.length = Math.min(this.events.length, EVENTS_KEPT);
  }

  /** The member that leads, as the newest term says. */
  leader() {
    const told = this.members.filter((member) => member.answers && member.leader !== "0");
    const newest = told.sort((a, b) => b.term - a.term)[0];
    return newest ? this.members.find((member) => member.id === newest.leader) : undefined;
  }

  name(id) {
    return this.members.find((member) => member.id === id)?.name ?? hex(id);
  }

  own() {
    return this.members.find((member) => member.id === this.self && member.answers);
  }
}

// What a member should have applied. Members answer one after the other while the log goes on, so
// each is held against what it knew at that moment, unless it has heard nothing for a while.
function target(member, highest) {
  return member.leader !== "0" && member.age < STALE ? Math.max(member.commit, member.heard) : highest;
}

// Numbers below 2^53 become numbers; ids stay text.
function read({ member, figures, round_trip_micros: roundTrip = "0" }) {
  const view = { id: member.ID, name: member.name || "(not started)", urls: member.clientURLs ?? [], learner: Boolean(member.isLearner), answers: Boolean(figures) };
  if (!figures) return view;
  const number = (name) => Number(figures[name] ?? 0);
  const watchers = figures.watchers ?? {};
  return Object.assign(view, {
    roundTrip: Number(roundTrip) / 1000,
    leader: figures.leader_id ?? "0",
    term: number("term"),
    commit: number("commit_index"),
    applied: number("applied_index"),
    heard: number("leader_commit_heard"),
    age: number("leader_commit_age_millis"),
    revision: number("revision"),
    compacted: number("compact_revision"),
    bytes: number("db_size"),
    bytesInUse: number("db_size_in_use"),
    watchers: {
      streams: watchers.streams ?? 0,
      synced: watchers.synced ?? 0,
      unsynced: watchers.unsynced ?? 0,
      victims: watchers.victims ?? 0,
      queued: Number(watchers.queued_bytes ?? 0),
      pending: Number(watchers.pending_events ?? 0),
      events: Number(watchers.events ?? 0),
      dispatched: Number(watchers.dispatched_revision ?? 0),
      slowest: watchers.slowest ?? [],
    },
  });
}
