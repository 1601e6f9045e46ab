import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './figure.ts';

export interface Load {
  readonly url: string;
  /** The path of the n-th request. */
  readonly path: (n: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Connections, each with one request at a time. */
  readonly connections: number;
  /** Sent by POST; requests are GET without one. */
  readonly body?: string | undefined;
}

/** A load from another process, for a time. */
export interface TimedLoad {
  readonly url: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Connections, each with one request at a time. */
  readonly connections: number;
  readonly seconds: number;
}

export interface SteadyLoad extends TimedLoad {
  readonly perSecond: number;
}

interface LoadResult {
  readonly sent: number;
  /** Statuses other than 200, and broken connections. */
  readonly failed: number;
}

/** Response times, from sending a request to the end of its response. */
export interface TimedResult extends LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
}

/** Sends `count` requests back to back. */
export async function sendRequests(load: Load, count: number): Promise<LoadResult> {
  const { url, path, headers = {}, connections, body } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let sent = 0;
  let failed = 0;
  const lane = async () => {
    while (sent < count) if (!(await isOk(agent, url + path(sent++), headers, body))) failed++;
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return { sent, failed };
}

/** Sends requests back to back for a time. */
export async function sendAllFor(load: TimedLoad): Promise<TimedResult> {
  const { url, paths, headers, connections, seconds } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1_000;
  const times: number[] = [];
  let sent = 0;
  let failed = 0;
  const lane = async () => {
    for (let sentMs = startedMs; sentMs < endMs; ) {
      sentMs = performance.now();
      if (!(await isOk(agent, url + paths[sent++ % paths.length], headers))) failed++;
      times.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return summarize(times, failed, performance.now() - startedMs);
}

function summarize(timesMs: readonly number[], failed: number, tookMs: number): TimedResult {
  const [p50Ms, p99Ms, p999Ms] = [50, 99, 99.9].map((percent) => percentile(timesMs, percent)) as [
    number,
    number,
    number,
  ];
  const sent = timesMs.length;
  return { sent, failed, perSecond: (sent / tookMs) * 1_000, p50Ms, p99Ms, p999Ms };
}

/** Sends requests at a steady rate until it is stopped; stopping waits for outstanding responses. */
export function keepSending(load: Load, perSecond: number): { stop(): Promise<TimedResult> } {
  const { url, path, headers = {}, connections } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const stopped = new AbortController();
  let sent = 0;
  let failed = 0;
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  const startedMs = performance.now();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      const due = ((performance.now() - startedMs) / 1000) * perSecond;
      while (sent < due) {
        const sentMs = performance.now();
        const finished = isOk(agent, url + path(sent++), headers).then((isGood) => {
          times.push(performance.now() - sentMs);
          if (!isGood) failed++;
          pending.delete(finished);
        });
        pending.add(finished);
      }
      await wait(1);
    }
    await Promise.all(pending);
    agent.destroy();
  })();
  return {
    async stop() {
      stopped.abort();
      await running;
      return summarize(times, failed, performance.now() - startedMs);
    },
  };
}

async function isOk(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<boolean> {
  const method = body === undefined ? 'GET' : 'POST';
  const result = await timeRequest(url, { agent, headers, method }, body).catch(() => undefined);
  return result?.status === 200;
}

/** The milliseconds from sending a request to the first byte and to the end of the body. */
export interface TimedResponse {
  readonly status: number | undefined;
  readonly firstMs: number;
  readonly endMs: number;
}

/** Sends a request and discards the response; rejects when the connection breaks. */
export function timeRequest(url: string, options: RequestOptions, body?: string): Promise<TimedResponse> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let firstMs = Number.NaN;
    request(url, options, (response) => {
      response
        .once('data', () => {
          firstMs = performance.now() - startedMs;
        })
        .once('end', () => resolve({ status: response.statusCode, firstMs, endMs: performance.now() - startedMs }))
        .once('error', reject);
    })
      .once('error', reject)
      .end(body);
  });
}
