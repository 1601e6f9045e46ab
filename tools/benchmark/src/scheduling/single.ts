import type { Run } from '../benchmark.ts';
import { type Figure, median, spread, toFigure } from '../figure.ts';
import type { ServerProcess } from '../server-process.ts';
import { compareServers } from '../side-by-side.ts';
import { startExpress } from './peers.ts';
import { companyKey, loadRoster } from './roster.ts';
import { startScheduling } from './scheduling.ts';

const ours = 'scheduling';
const bare = 'bare Express 5';

/** Measures reads of a person with tags and skills, a different one each time: requests per second of a core. */
export async function measureSingle(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const running: ServerProcess[] = [];
  try {
    const server = await startScheduling({ file: await loadRoster(100) });
    running.push(server);
    const express = await startExpress();
    running.push(express);
    const response = await fetch(`${server.url}/v2/staffmember?companyKey=${companyKey}&$select=StaffKey`, server);
    const people = (await response.json()) as { StaffKey: string }[];
    const paths = people.map(({ StaffKey }) => `/v2/staffmember/${encodeURIComponent(StaffKey)}?$expand=Tags,Skillset`);
    const contenders = [
      { name: ours, server, paths, headers: [server.headers] },
      { name: bare, server: express, paths: ['/route'], headers: [{}] },
    ];
    const rounds = { title: 'reads of a person', connections: 8, warmSeconds: 4, rounds: 9, seconds: 1 };
    const compared = await compareServers(contenders, rounds, say);
    record(compared);
    // On a busy core, requests per second are inverse to the CPU per request.
    const toExpress = compared.ratios(bare, ours);
    return [
      toFigure(
        { name: 'scheduling: reads of a person with $expand a second to bare Express', min: 0.27, unit: '×' },
        median(toExpress),
        spread(toExpress),
      ),
    ];
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
