import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until GET /health/ready of a server is 200.
 * @param {{ host: string, port: number, signal: AbortSignal, pollMs?: number }} options rejects when `signal` aborts
 */
export async function waitUntilReady({ host, port, signal, pollMs = 150 }) {
  while (!(await isReady(host, port))) await sleep(pollMs, undefined, { signal });
}

/** @param {string} host @param {number} port @returns {Promise<boolean>} */
function isReady(host, port) {
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/health/ready', agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
