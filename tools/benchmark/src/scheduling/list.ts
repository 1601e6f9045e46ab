import { request } from 'node:http';
import { cpuPerRequest } from '../cpu-per-request.ts';
import { type Figure, judge, median, spread } from '../figure.ts';
import { startReadyMade } from './peers.ts';
import { companyKey, loadRoster } from './roster.ts';
import { type Scheduling, startScheduling } from './scheduling.ts';

export const listPath = `/v2/staffmember?companyKey=${companyKey}&$expand=Tags,Skillset`;
const rounds = 7;
const listsPerRound = 25;

/** A whole company of 1,000 with tags and skills: its first byte, and its CPU beside the same bytes ready-made. */
export async function measureList(say: (text: string) => void): Promise<readonly Figure[]> {
  const server = await startScheduling({ file: await loadRoster(100) });
  const bytes = await fetch(server.url + listPath, server).then((answer) => answer.bytes());
  const readyMade = await startReadyMade(bytes);
  const ours = { server, path: listPath, headers: server.headers, connections: 2 };
  const theirs = { server: readyMade, path: '/', connections: 2 };
  try {
    for (const asked of [ours, theirs]) await cpuPerRequest(asked, listsPerRound);
    const firstBytes: number[] = [];
    const toReadyMade: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const list = await cpuPerRequest(ours, listsPerRound);
      const floor = await cpuPerRequest(theirs, listsPerRound);
      for (let i = 0; i < 5; i++) firstBytes.push(await timeFirstByte(server));
      toReadyMade.push(list / floor);
      say(`${ms(list)} CPU a list, ${ms(floor)} ready-made`);
    }
    return [
      judge(
        { name: 'scheduling: 1,000 people with $expand, first byte', max: 30, unit: 'ms' },
        median(firstBytes),
        `at worst ${Math.max(...firstBytes).toFixed(1)} ms, ${(bytes.length / 1e6).toFixed(1)} MB`,
      ),
      judge(
        { name: 'scheduling: the same, CPU to the same bytes ready-made', max: 12, unit: '×' },
        median(toReadyMade),
        spread(toReadyMade),
      ),
    ];
  } finally {
    for (const one of [server, readyMade]) await one.stop();
  }
}

/** From sending the request to the first byte of its body. */
function timeFirstByte({ url, headers }: Scheduling): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let firstMs = 0;
    request(url + listPath, { headers, agent: false }, (answer) => {
      answer
        .once('data', () => {
          firstMs = performance.now() - startedMs;
        })
        .resume()
        .once('end', () => resolve(firstMs))
        .once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}

const ms = (us: number) => `${(us / 1_000).toFixed(2)} ms`;
