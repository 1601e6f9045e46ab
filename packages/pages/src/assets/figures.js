/**
 * Returns the requests per second, share of errors, p50 and p95 between two readings of /metrics. Shares and times are
 * null without requests; returns undefined after a restart of the server.
 * @param own number of this page's requests, which are excluded
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

/** Interpolates linearly within a bucket, like Prometheus; beyond the last bound returns that bound. */
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

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundUp(value, least) {
  if (value <= least) return least;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

const [width, height, base] = [240, 56, 55.5];

/**
 * Returns the SVG path of a line through points in time, the newest at the right edge, with gaps for null values.
 * @param points `{ at, value }`, oldest first; `at` in the same unit as `span`
 */
export function linePath(points, { now, span, max }) {
  let path = '';
  let isDrawing = false;
  for (const { at, value } of points) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = round(width - ((now - at) / span) * width);
    const y = round(base - (Math.min(value, max) / max) * (height - 4));
    // A lone point becomes a short line, to be visible.
    path += isDrawing ? `L${x} ${y}` : `M${round(x - 1)} ${y}L${x} ${y}`;
    isDrawing = true;
  }
  return path;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
