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

/** Reads `RateLimit` and `RateLimit-Policy`; returns the policy with the smallest share left, and its window. */
export function readQuota(headers) {
  const limits = itemsOf(headers.get('RateLimit'));
  // There may be more policies than limits.
  const policies = new Map(itemsOf(headers.get('RateLimit-Policy')));
  const pairs = limits.map(([name, { r }]) => ({
    left: r,
    quota: policies.get(name)?.q ?? 0,
    seconds: policies.get(name)?.w,
  }));
  return pairs.filter(({ quota }) => quota > 0).sort((a, b) => a.left / a.quota - b.left / b.quota)[0];
}

/** Returns the names and the numbers of the items of a list such as `"a";q=60;w=60, "b";q=5;w=1`. */
function itemsOf(list) {
  return [...(list ?? '').matchAll(/"([^"]*)"([^,]*)/g)].map(([, name, parameters]) => [
    name,
    Object.fromEntries([...parameters.matchAll(/;\s*(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)])),
  ]);
}
