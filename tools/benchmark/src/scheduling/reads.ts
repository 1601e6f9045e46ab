import { compareServers, type Run, type Say } from '../compare-servers.ts';
import { cpuPerRequest } from '../cost-per-request.ts';
import { type Figure, ratioFigure } from '../figure.ts';
import { middleOf } from '../gateway/configurations.ts';
import { startLocalPeer } from '../peers.ts';
import { stop } from '../server-process.ts';
import { companyKey, loadRoster, type Scheduling, startScheduling } from './scheduling.ts';

const ours = 'scheduling';
const bare = 'bare Express 5';

/** Measures reads of a person with tags and skills, a different one each time: requests per second of a core. */
export async function measureSingle(say: Say, { record }: Run): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const server = servers.adopt(await startScheduling({ file: await loadRoster(100) }), stop);
  const express = servers.adopt(await startLocalPeer('bare-express', 1), stop);
  const response = await fetch(`${server.url}/v2/staffmember?companyKey=${companyKey}&$select=StaffKey`, server);
  const people = (await response.json()) as { StaffKey: string }[];
  const paths = people.map(({ StaffKey }) => `/v2/staffmember/${encodeURIComponent(StaffKey)}?$expand=Tags,Skillset`);
  const contenders = [
    { name: ours, server, paths, headers: [server.headers] },
    { name: bare, server: express, paths: [middleOf(1)], headers: [{}] },
  ];
  const readRounds = { title: 'reads of a person', connections: 8, warmSeconds: 4, rounds: 9, seconds: 1 };
  const compared = await compareServers(contenders, readRounds, say);
  record(compared);
  const bound = { name: 'scheduling: reads of a person with $expand a second to bare Express', min: 0.27, unit: '×' };
  // On a busy core, requests per second are inverse to the CPU per request.
  return [ratioFigure(bound, compared.ratios(bare, ours))];
}

const rounds = 9;
const requestsPerRound = 1_500;
const properties = ['StaffId', 'LastName', 'Npi', 'Email'];

/** Compares a filter on an indexed property with 100 companies to the same with one company. */
export async function measureFilter(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const of100 = servers.adopt(await startScheduling({ file: await loadRoster(100) }), stop);
  const of1 = servers.adopt(await startScheduling({ file: await loadRoster(1) }), stop);
  const figures: Figure[] = [];
  for (const property of properties) {
    const values = await valuesOf(of1, property);
    const path = (n: number) => {
      const filter = encodeURIComponent(`${property} eq '${values[n % values.length]?.replaceAll("'", "''")}'`);
      return `/v2/staffmember?companyKey=${companyKey}&$filter=${filter}`;
    };
    const cost = (server: Scheduling) => cpuPerRequest({ server, path, headers: server.headers }, requestsPerRound);
    for (const server of [of100, of1]) await cost(server);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [many, few] = [await cost(of100), await cost(of1)];
      ratios.push(many / few);
      say(`${property}: ${many.toFixed(1)} µs with 100 companies, ${few.toFixed(1)} µs with one`);
    }
    const bound = { name: `scheduling: $filter=${property} eq, 100 companies to 1`, max: 1.2, unit: '×' };
    figures.push(ratioFigure(bound, ratios));
  }
  return figures;
}

/** Returns values of the property in the company that both servers have. */
async function valuesOf({ url, headers }: Scheduling, property: string): Promise<string[]> {
  const path = `/v2/staffmember?companyKey=${companyKey}&$top=200&$select=${property}&$filter=${property} ne null`;
  const people = (await fetch(url + path, { headers }).then((response) => response.json())) as Record<string, string>[];
  return people.map((person) => String(person[property]));
}
