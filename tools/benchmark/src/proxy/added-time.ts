import { Agent, request } from 'node:http';
import { type Figure, median, toFigure } from '../figure.ts';
import type { ServerProcess } from '../server-process.ts';
import { readPath } from './forward.ts';
import { readPerson, startLeanUpstream } from './person.ts';
import { startStaffProxy } from './staff-proxy.ts';

const rounds = 15;
const readsPerRound = 200;

/** Measures the time that the proxy adds to a read of its upstream, one read at a time. */
export async function measureAddedTime(say: (text: string) => void): Promise<readonly Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const running: ServerProcess[] = [];
  try {
    const upstream = await startLeanUpstream(await readPerson());
    running.push(upstream);
    const proxy = await startStaffProxy(upstream.url);
    running.push(proxy);
    const through = () => timeReads(proxy.url, agent, proxy.headers, readsPerRound);
    const direct = () => timeReads(upstream.url, agent, proxy.headers, readsPerRound);
    for (let warm = 0; warm < 10; warm++) await through();
    await direct();
    const times: { readonly through: number[]; readonly direct: number[] } = { through: [], direct: [] };
    for (let round = 0; round < rounds; round++) {
      times.through.push(...(await through()));
      times.direct.push(...(await direct()));
    }
    const [p50, alone] = [median(times.through), median(times.direct)];
    say(`p50 ${p50.toFixed(3)} ms through the proxy, ${alone.toFixed(3)} ms from the upstream`);
    const note = `${alone.toFixed(2)} ms without it, ${rounds * readsPerRound} reads each`;
    return [toFigure({ name: 'staff-proxy: added to a read, p50', max: 1, unit: 'ms' }, p50 - alone, note)];
  } finally {
    agent.destroy();
    for (const server of running.reverse()) await server.stop();
  }
}

/** Returns the milliseconds from sending each request to the end of its response. */
async function timeReads(url: string, agent: Agent, headers: Readonly<Record<string, string>>, count: number) {
  const times: number[] = [];
  for (let n = 0; n < count; n++) times.push(await timeRead(url + readPath(n), agent, headers));
  return times;
}

function timeRead(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    request(url, { agent, headers }, (response) => {
      response
        .resume()
        .once('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - startedMs);
          else reject(new Error(`The response to ${url} is ${response.statusCode}.`));
        })
        .once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}
