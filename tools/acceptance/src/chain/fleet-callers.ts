import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** The results of the clients of a fleet. */
export interface Tally {
  /** Requests by method and outcome, such as `GET 200` or `POST ECONNRESET`. */
  readonly outcomes: Map<string, number>;
  /** The `StaffId` of each person whose creation was acknowledged. */
  readonly created: Set<string>;
  /** The `StaffId` of each person whose creation failed: the person may exist, at most once. */
  readonly uncertain: Set<string>;
  /** The duration of the slowest request. */
  slowestMs: number;
}

export interface FleetCallers {
  readonly tally: Tally;
  /** Resolves once every client has received its last response. */
  stop(): Promise<void>;
}

const readers = 6;
const writers = 3;
/** Between two requests of one client. Shorter pauses load the machine, and find nothing else. */
const pauseMs = 30;

let run = 0;

/**
 * Reads and writes through two gateways over keep-alive connections until it is stopped. A client switches to the other
 * gateway when its connection is refused, like a load balancer.
 */
export function startFleetCallers(urls: readonly string[]): FleetCallers {
  const tally: Tally = { outcomes: new Map(), created: new Set(), uncertain: new Set(), slowestMs: 0 };
  const agent = new Agent({ keepAlive: true });
  const prefix = `fleet-${process.pid}-${run++}`;
  let isStopped = false;

  async function ask(caller: number, method: 'GET' | 'POST', { query = '', body = '' }): Promise<number> {
    const startedMs = performance.now();
    let outcome = 'not connected';
    let status = 0;
    for (let i = 0; i < urls.length && outcome === 'not connected'; i++) {
      const url = urls[(caller + i) % urls.length] as string;
      try {
        status = await send(agent, `${url}/api/staff${query}`, method, body);
        outcome = String(status);
      } catch (error) {
        const { code = 'unknown' } = error as { code?: string };
        outcome = code === 'ECONNREFUSED' ? 'not connected' : code;
      }
    }
    const name = `${method} ${outcome}`;
    tally.outcomes.set(name, (tally.outcomes.get(name) ?? 0) + 1);
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedMs);
    return status;
  }

  async function read(caller: number): Promise<void> {
    for (let n = 0; !isStopped; n++) {
      await ask(caller, 'GET', { query: `?$top=5&$skip=${(n * 7 + caller) % 50}` });
      await delay(pauseMs);
    }
  }

  async function write(caller: number): Promise<void> {
    for (let n = 0; !isStopped; n++) {
      const StaffId = `${prefix}-${caller}-${n}`;
      const status = await ask(caller, 'POST', { body: JSON.stringify({ StaffId, City: 'Oslo' }) });
      (status === 201 ? tally.created : tally.uncertain).add(StaffId);
      await delay(pauseMs);
    }
  }

  const callers = [
    ...Array.from({ length: readers }, (_, i) => read(i)),
    ...Array.from({ length: writers }, (_, i) => write(i)),
  ];
  return {
    tally,
    async stop() {
      isStopped = true;
      await Promise.all(callers);
      agent.destroy();
    },
  };
}

/** Resolves with the status once the response is complete. */
function send(agent: Agent, url: string, method: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'Content-Type': 'application/json' };
    const sent = request(url, { agent, method, headers }, (response) => {
      text(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
    sent.once('error', reject).end(body);
  });
}
