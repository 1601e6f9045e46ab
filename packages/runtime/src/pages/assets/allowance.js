/** The page's own requests, and what the server has said is left of the caller's. */
const allowance = { asked: 0, share: 1, waitMs: 0 };

/** Asks this server, past any cache; keeps count. */
export async function ask(path, headers = {}) {
  const response = await fetch(path, { headers, cache: 'no-store' });
  allowance.asked++;
  noteAllowance(response.headers, response.status);
  return response;
}

/** How many requests of this page the server has answered. */
export function requestsAsked() {
  return allowance.asked;
}

/** Every 2 s as long as most of the caller's requests are left; ever more rarely as others need them. */
export function delayByAllowance() {
  if (allowance.waitMs > 0) return allowance.waitMs;
  if (allowance.share > 0.5) return 2_000;
  return allowance.share > 0.25 ? 10_000 : 30_000;
}

/** Reads `RateLimit` and `RateLimit-Policy` as one: the scarcest policy decides. */
export function readAllowance(headers) {
  const numbers = (name, key) =>
    [...(headers.get(name) ?? '').matchAll(new RegExp(`;\\s*${key}=(\\d+)`, 'g'))].map((match) => Number(match[1]));
  const left = numbers('RateLimit', 'r');
  const quotas = numbers('RateLimit-Policy', 'q');
  const pairs = left.map((r, i) => ({ left: r, quota: quotas[i] ?? quotas[0] })).filter(({ quota }) => quota > 0);
  return pairs.sort((a, b) => a.left / a.quota - b.left / b.quota)[0];
}

function noteAllowance(headers, status) {
  const told = readAllowance(headers);
  allowance.waitMs = status === 429 ? 1000 * Math.max(1, Number(headers.get('Retry-After')) || 10) : 0;
  if (told !== undefined) allowance.share = told.left / told.quota;
}
