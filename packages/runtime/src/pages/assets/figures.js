/**
 * What happened between two readings of /metrics: requests a second, the share of errors and how long half of the
 * requests and 95 of 100 took. Shares and times are null when nothing happened; undefined when the server has begun anew.
 * @param own requests of this page among them, which nobody wants to see in a chart of the traffic
 */
export function figuresBetween(before, after, own = 0) {
  const seconds = after.uptime_seconds - before.uptime_seconds;
  const counted = after.total_requests - before.total_requests;
  if (seconds <= 0 || counted < 0) return undefined;
  const count = Math.max(0, counted - own);
  const errors = after.total_errors - before.total_errors;
  const buckets = after.duration_buckets.map(({ le, count: upTo }, i) => ({
    le,
    upTo: upTo - (before.duration_buckets[i]?.count ?? 0),
  }));
  return {
    rate: count / seconds,
    errors: count === 0 ? null : Math.min(100, (100 * errors) / count),
    p50: count === 0 ? null : 1000 * quantileOf(buckets, counted, 0.5),
    p95: count === 0 ? null : 1000 * quantileOf(buckets, counted, 0.95),
  };
}

/** As Prometheus does: within a bucket times are thought to be spread evenly; beyond the last bound it is that bound. */
export function quantileOf(buckets, total, share) {
  const wanted = share * total;
  let below = { le: 0, upTo: 0 };
  for (const bucket of buckets) {
    if (bucket.upTo >= wanted && bucket.upTo > below.upTo) {
      return below.le + ((bucket.le - below.le) * (wanted - below.upTo)) / (bucket.upTo - below.upTo);
    }
    below = bucket;
  }
  return below.le;
}

/** A round number that is no less: 1, 2 or 5 times a power of ten. */
export function roundUp(value, least) {
  if (value <= least) return least;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}
