let asked = 0;

/** Sends a request to this server, past any cache, and counts it. */
export async function ask(path, headers = {}) {
  const response = await fetch(path, { headers, cache: 'no-store' });
  asked++;
  return response;
}

/** Returns how many requests of this page the server has answered. */
export function requestsAsked() {
  return asked;
}

/** Returns when to poll again: after 2 s, more rarely as the quota of the response runs low, after a 429 when it says. */
export function delayAfter({ status, headers }) {
  // A timer takes no more than 31 bits, and would end at once.
  if (status === 429) return Math.min(1000 * Math.max(1, Number(headers.get('Retry-After')) || 10), 2 ** 31 - 1);
  const { left, quota } = readAllowance(headers) ?? { left: 1, quota: 1 };
  if (left > 0.5 * quota) return 2_000;
  return left > 0.25 * quota ? 10_000 : 30_000;
}

/** Reads `RateLimit` and `RateLimit-Policy`; returns the policy of which least is left. */
export function readAllowance(headers) {
  const numbers = (name, key) =>
    [...(headers.get(name) ?? '').matchAll(new RegExp(`;\\s*${key}=(\\d+)`, 'g'))].map((match) => Number(match[1]));
  const left = numbers('RateLimit', 'r');
  const quotas = numbers('RateLimit-Policy', 'q');
  const pairs = left.map((r, i) => ({ left: r, quota: quotas[i] ?? quotas[0] })).filter(({ quota }) => quota > 0);
  return pairs.sort((a, b) => a.left / a.quota - b.left / b.quota)[0];
}
