import { findPostgres, startPostgres } from '../../../workspace/start-postgres.ts';
import type { Say } from '../compare-servers.ts';
import { cpuPerRequest } from '../cost-per-request.ts';
import { type Figure, median, notRun, ratioFigure, toFigure } from '../figure.ts';
import { timeRequest } from '../load.ts';
import { startFixedResponse } from '../peers.ts';
import { stop } from '../server-process.ts';
import { companyKey, type Database, fillPostgres, loadRoster, type Scheduling, startScheduling } from './scheduling.ts';

const listPath = `/v2/staffmember?companyKey=${companyKey}&$expand=Tags,Skillset`;

/** Measures a list of 1,000 people with tags and skills: its first byte, and its CPU to that of the same bytes ready-made. */
export async function measureList(say: Say): Promise<readonly Figure[]> {
  const firstBytes: number[] = [];
  const timeFirstBytes = async ({ url, headers }: Scheduling) => {
    for (let i = 0; i < 5; i++) firstBytes.push((await timeRequest(url + listPath, { headers, agent: false })).firstMs);
  };
  const file = await loadRoster(100);
  const { toReadyMade, bytes } = await compareLists({ file }, { rounds: 7, listsPerRound: 25 }, say, timeFirstBytes);
  return [
    toFigure(
      { name: 'scheduling: 1,000 people with $expand, first byte', max: 30, unit: 'ms' },
      median(firstBytes),
      `slowest ${Math.max(...firstBytes).toFixed(1)} ms, ${(bytes / 1e6).toFixed(1)} MB`,
    ),
    ratioFigure({ name: 'scheduling: the same, CPU to the same bytes ready-made', max: 12, unit: '×' }, toReadyMade),
  ];
}

/** Fewer companies than with SQLite: the database process pays for them. */
const postgresCompanies = 10;
/** Rows arrive as text over a socket, which costs more than twice of SQLite. */
const postgresBound = { name: 'scheduling: the same from PostgreSQL, CPU to ready-made', max: 30, unit: '×' };

/** Measures the same list from PostgreSQL, in the CPU of the API process alone. */
export async function measureListFromPostgres(say: Say): Promise<readonly Figure[]> {
  if (findPostgres() === undefined) return [notRun(postgresBound, 'no PostgreSQL on this machine')];
  await using databases = new AsyncDisposableStack();
  const { url } = databases.adopt(await startPostgres(), (database) => database.close());
  await fillPostgres(url, postgresCompanies);
  const { toReadyMade } = await compareLists({ url }, { rounds: 5, listsPerRound: 20 }, say);
  return [toFigure(postgresBound, median(toReadyMade))];
}

/** Returns the CPU ratio of a list to its bytes ready-made, for each round. */
async function compareLists(
  database: Database,
  { rounds, listsPerRound }: { readonly rounds: number; readonly listsPerRound: number },
  say: Say,
  eachRound: (server: Scheduling) => Promise<void> = async () => {},
): Promise<{ readonly toReadyMade: readonly number[]; readonly bytes: number }> {
  await using servers = new AsyncDisposableStack();
  const server = servers.adopt(await startScheduling(database), stop);
  const bytes = await fetch(server.url + listPath, server).then((response) => response.bytes());
  const readyMade = servers.adopt(await startFixedResponse(bytes), stop);
  const ours = { server, path: listPath, headers: server.headers, connections: 2 };
  const theirs = { server: readyMade, path: '/', connections: 2 };
  for (const load of [ours, theirs]) await cpuPerRequest(load, listsPerRound);
  const toReadyMade: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const list = await cpuPerRequest(ours, listsPerRound);
    const floor = await cpuPerRequest(theirs, listsPerRound);
    await eachRound(server);
    toReadyMade.push(list / floor);
    say(`${ms(list)} CPU per list, ${ms(floor)} ready-made`);
  }
  return { toReadyMade, bytes: bytes.length };
}

const ms = (us: number) => `${(us / 1_000).toFixed(2)} ms`;
