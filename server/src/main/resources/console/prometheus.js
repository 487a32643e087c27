// Reads Prometheus's text format as far as this member writes it.

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Samples by name: a list of { labels, value }. */
export function parse(text, wanted) {
  const found = new Map();
  for (const line of text.split("\n")) {
    if (line === "" || line[0] === "#") continue;
    const match = LINE.exec(line);
    if (!match || !wanted.has(match[1])) continue;
    const labels = {};
    for (const [, name, value] of (match[2] ?? "").matchAll(LABEL)) labels[name] = value;
    if (!found.has(match[1])) found.set(match[1], []);
    found.get(match[1]).push({ labels, value: Number(match[3]) });
  }
  return found;
}

/** The sum of a metric's samples that pass; null when there are none. */
export function sum(samples, name, passes = () => true) {
  const list = (samples.get(name) ?? []).filter((sample) => passes(sample.labels));
  return list.length ? list.reduce((total, sample) => total + sample.value, 0) : null;
}

/**
 * A quantile of what a histogram counted between two looks, in the metric's unit; null when it
 * counted nothing. Exact to the width of a bucket.
 */
export function quantile(before, after, name, share) {
  const bounds = buckets(after, name);
  const earlier = new Map(buckets(before, name));
  const counts = bounds.map(([bound, total]) => [bound, total - (earlier.get(bound) ?? 0)]);
  const all = counts.length ? counts[counts.length - 1][1] : 0;
  if (all <= 0) return null;
  let below = 0;
  let low = 0;
  for (const [bound, total] of counts) {
    if (total >= share * all) {
      if (bound === Infinity) return low;
      return low + ((bound - low) * (share * all - below)) / Math.max(1, total - below);
    }
    below = total;
    low = bound;
  }
  return low;
}

function buckets(samples, name) {
  const totals = new Map();
  for (const { labels, value } of samples.get(`${name}_bucket`) ?? []) {
    const bound = labels.le === "+Inf" ? Infinity : Number(labels.le);
    totals.set(bound, (totals.get(bound) ?? 0) + value);
  }
  return [...totals].sort((a, b) => a[0] - b[0]);
}
