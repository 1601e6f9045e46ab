let asked = 0;

/** Sends an uncached request to this server, and counts it. */
export async function ask(path, headers = {}) {
  const response = await fetch(path, { headers, cache: 'no-store' });
  asked++;
  return response;
}

/** Returns the number of this page's requests that the server has answered. */
export function requestsAsked() {
  return asked;
}

/** Returns the polling delay: 2 s, longer as the quota of the response runs low, and Retry-After for a 429. */
export function delayAfter({ status, headers }) {
  // A timer takes at most 31 bits; a longer delay would end at once.
  if (status === 429) return Math.min(1000 * Math.max(1, Number(headers.get('Retry-After')) || 10), 2 ** 31 - 1);
  const { left, quota } = readQuota(headers) ?? { left: 1, quota: 1 };
  if (left > 0.5 * quota) return 2_000;
  return left > 0.25 * quota ? 10_000 : 30_000;
}

/** Reads `RateLimit` and `RateLimit-Policy`; returns the policy with the smallest share left. */
export function readQuota(headers) {
  const numbers = (name, key) =>
    [...(headers.get(name) ?? '').matchAll(new RegExp(`;\\s*${key}=(\\d+)`, 'g'))].map((match) => Number(match[1]));
  const left = numbers('RateLimit', 'r');
  const quotas = numbers('RateLimit-Policy', 'q');
  const pairs = left.map((r, i) => ({ left: r, quota: quotas[i] ?? quotas[0] })).filter(({ quota }) => quota > 0);
  return pairs.sort((a, b) => a.left / a.quota - b.left / b.quota)[0];
}
