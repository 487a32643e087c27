// Rates and latencies of the member that the page comes from, second by second.

import { call, isAbort, metrics } from "./api.js";
import { h, heading, short, size } from "./dom.js";
import { Plot } from "./plot.js";
import { parse, quantile, sum } from "./prometheus.js";

const PERIOD = 1000;
const SPAN = 120;

const CALLS = "grpc_server_handled_total";
const HANDLING = "grpc_server_handling_seconds";
const FSYNC = "etcd_disk_wal_fsync_duration_seconds";
const WANTED = new Set([
  CALLS,
  `${HANDLING}_bucket`,
  `${FSYNC}_bucket`,
  "etcd_server_proposals_applied_total",
  "etcd_debugging_mvcc_current_revision",
  "etcd_debugging_mvcc_events_total",
  "etcd_network_client_grpc_sent_bytes_total",
  "etcd_network_client_grpc_received_bytes_total",
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
]);

const READS = ["Range", "RangeStream"];
const WRITES = ["Put", "DeleteRange", "Txn"];
const LEASES = ["LeaseGrant", "LeaseRevoke", "LeaseKeepAlive", "LeaseTimeToLive", "LeaseLeases"];
const KINDS = [
  ["reads", (method) => READS.includes(method)],
  ["writes", (method) => WRITES.includes(method)],
  ["leases", (method) => LEASES.includes(method)],
  ["other", (method) => ![...READS, ...WRITES, ...LEASES].includes(method)],
];

const millis = (value) => `${value < 10 ? value.toFixed(value < 1 ? 2 : 1) : Math.round(value)} ms`;
const perSecond = (value) => `${short(value)}/s`;

/** Looks once a second from the moment the page is opened, so that there is something to see. */
export class Sampler {
  constructor() {
    this.series = {};
    this.listeners = new Set();
  }

  start() {
    clearTimeout(this.timer);
    this.look().finally(() => {
      this.timer = setTimeout(() => this.start(), PERIOD);
    });
  }

  async look() {
    if (document.hidden) return;
    const sample = { now: performance.now(), values: null, read: null };
    try {
      const began = performance.now();
      await call("/v3/kv/range", { key: "AA==", limit: "1", keys_only: true });
      sample.read = performance.now() - began;
    } catch {
      // A gap in the line says it.
    }
    try {
      sample.values = parse(await metrics(), WANTED);
    } catch (failure) {
      if (isAbort(failure)) return;
    }
    this.take(sample);
    this.listeners.forEach((listener) => listener());
  }

  take(sample) {
    const before = this.last;
    this.last = sample;
    this.push("read", sample.read);
    const { values } = sample;
    this.push("memory", values && sum(values, "process_resident_memory_bytes"));
    const seconds = before ? (sample.now - before.now) / 1000 : 1;
    const rate = (passes, name) => {
      if (!values || !before?.values) return null;
      const [after, earlier] = [sum(values, name, passes), sum(before.values, name, passes)];
      return after === null || earlier === null ? null : Math.max(0, (after - earlier) / seconds);
    };
    const plain = (key, name) => this.push(key, rate(() => true, name));
    plain("entries", "etcd_server_proposals_applied_total");
    plain("revisions", "etcd_debugging_mvcc_current_revision");
    plain("events", "etcd_debugging_mvcc_events_total");
    plain("sent", "etcd_network_client_grpc_sent_bytes_total");
    plain("received", "etcd_network_client_grpc_received_bytes_total");
    plain("cpu", "process_cpu_seconds_total");
    for (const [kind, passes] of KINDS) this.push(kind, rate(({ grpc_method: method }) => passes(method), CALLS));
    const histogram = (name, share) => {
      const value = values && before?.values ? quantile(before.values, values, name, share) : null;
      return value === null ? null : value * 1000;
    };
    this.push("fsync50", histogram(FSYNC, 0.5));
    this.push("fsync99", histogram(FSYNC, 0.99));
    this.push("call50", histogram(HANDLING, 0.5));
    this.push("call99", histogram(HANDLING, 0.99));
    this.extensive = Boolean(values?.has(`${HANDLING}_bucket`));
    this.syncs = Boolean(values?.has(`${FSYNC}_bucket`));
  }

  push(name, value) {
    const list = (this.series[name] ??= []);
    list.push(value ?? null);
    if (list.length > SPAN) list.shift();
  }
}

export function create({ sampler, cluster }) {
  const plots = [
    [new Plot("Changes", perSecond, SPAN), [["revisions", "revisions"], ["log entries", "entries"]]],
    [new Plot("Calls", perSecond, SPAN), KINDS.map(([kind]) => [kind, kind])],
    [new Plot("Events sent to watchers", perSecond, SPAN), [["", "events"]]],
    [new Plot("A linearizable read from this page", millis, SPAN), [["", "read"]]],
    [new Plot("Time to make the log durable", millis, SPAN), [["p50", "fsync50"], ["p99", "fsync99"]], "syncs"],
    [new Plot("Time to handle calls", millis, SPAN), [["p50", "call50"], ["p99", "call99"]], "extensive"],
    [new Plot("Bytes to and from gRPC clients", (value) => `${size(value)}/s`, SPAN, true), [["out", "sent"], ["in", "received"]]],
    [new Plot("Processor", (value) => `${value.toFixed(2)} cores`, SPAN), [["", "cpu"]]],
    [new Plot("Memory", size, SPAN, true), [["", "memory"]]],
  ];
  const grid = h("div", { class: "plots" }, plots.map(([plot]) => plot.element));
  const about = h("p", {});
  const element = h("div", {}, heading("Rates", ""), about, grid);
  about.className = "quiet under";
  function draw() {
    const own = cluster.own();
    about.textContent = `Of ${own ? own.name : "this member"}, over the last two minutes. Other members show theirs in their own consoles.`;
    for (const [plot, lines, needs] of plots) {
      plot.element.hidden = Boolean(needs) && !sampler[needs];
      if (!plot.element.hidden) plot.draw(lines.map(([name, key]) => ({ name, values: sampler.series[key] ?? [] })));
    }
  }
  return {
    element,
    start() {
      draw();
      sampler.listeners.add(draw);
    },
    stop() {
      sampler.listeners.delete(draw);
    },
    update() {},
  };
}
