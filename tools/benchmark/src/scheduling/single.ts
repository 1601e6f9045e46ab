import { cpuPerRequest } from '../cpu-per-request.ts';
import { type Figure, judge, median, spread } from '../figure.ts';
import { recordedCap, startExpress } from './peers.ts';
import { companyKey, loadRoster } from './roster.ts';
import { startScheduling } from './scheduling.ts';

const rounds = 9;
const requestsPerRound = 4_000;

/** One person with tags and skills, each time another one: how many a core answers in a second. */
export async function measureSingle(say: (text: string) => void): Promise<readonly Figure[]> {
  const server = await startScheduling({ file: await loadRoster(100) });
  const express = await startExpress();
  try {
    const answer = await fetch(`${server.url}/v2/staffmember?companyKey=${companyKey}&$select=StaffKey`, server);
    const keys = ((await answer.json()) as { StaffKey: string }[]).map(({ StaffKey }) => encodeURIComponent(StaffKey));
    const path = (n: number) => `/v2/staffmember/${keys[n % keys.length]}?$expand=Tags,Skillset`;
    const ours = { server, path, headers: server.headers };
    const theirs = { server: express, path: '/route' };
    for (const asked of [ours, theirs]) await cpuPerRequest(asked, requestsPerRound);
    const toExpress: number[] = [];
    const toCap: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const read = await cpuPerRequest(ours, requestsPerRound);
      const bare = await cpuPerRequest(theirs, requestsPerRound);
      const capPerSecond = recordedCap.singlePerSecond * (recordedCap.expressCpuUs / bare);
      toExpress.push(bare / read);
      toCap.push(1e6 / read / capPerSecond);
      say(`${read.toFixed(1)} µs a read, ${bare.toFixed(1)} µs a bare Express route`);
    }
    return [
      judge(
        { name: 'scheduling: reads of a person with $expand a second to bare Express', min: 0.27, unit: '×' },
        median(toExpress),
        spread(toExpress),
      ),
      judge({ name: 'scheduling: the same to SAP CAP as recorded', min: 20, unit: '×' }, median(toCap), spread(toCap)),
    ];
  } finally {
    for (const one of [server, express]) await one.stop();
  }
}
