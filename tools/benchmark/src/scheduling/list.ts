import { request } from 'node:http';
import { findPostgres, startPostgres } from '../../../workspace/start-postgres.ts';
import { cpuPerRequest } from '../cost-per-request.ts';
import { type Figure, median, notRun, spread, toFigure } from '../figure.ts';
import type { ServerProcess } from '../server-process.ts';
import { startReadyMade } from './peers.ts';
import { companyKey, fillPostgres, loadRoster } from './roster.ts';
import { type Scheduling, startScheduling } from './scheduling.ts';

const listPath = `/v2/staffmember?companyKey=${companyKey}&$expand=Tags,Skillset`;

/** Measures a list of 1,000 people with tags and skills: its first byte, and its CPU to that of the same bytes ready-made. */
export async function measureList(say: (text: string) => void): Promise<readonly Figure[]> {
  const server = await startScheduling({ file: await loadRoster(100) });
  const bytes = await fetch(server.url + listPath, server).then((response) => response.bytes());
  const readyMade = await startReadyMade(bytes);
  try {
    const firstBytes: number[] = [];
    const timeFirstBytes = async () => {
      for (let i = 0; i < 5; i++) firstBytes.push(await timeFirstByte(server));
    };
    const sizes = { rounds: 7, listsPerRound: 25 };
    const { toReadyMade } = await compareLists(server, readyMade, sizes, say, timeFirstBytes);
    return [
      toFigure(
        { name: 'scheduling: 1,000 people with $expand, first byte', max: 30, unit: 'ms' },
        median(firstBytes),
        `slowest ${Math.max(...firstBytes).toFixed(1)} ms, ${(bytes.length / 1e6).toFixed(1)} MB`,
      ),
      toFigure(
        { name: 'scheduling: the same, CPU to the same bytes ready-made', max: 12, unit: '×' },
        median(toReadyMade),
        spread(toReadyMade),
      ),
    ];
  } finally {
    for (const one of [server, readyMade]) await one.stop();
  }
}

/** Fewer companies than with SQLite: the database process pays for them. */
const postgresCompanies = 10;
/** Rows arrive as text over a socket, which costs more than twice of SQLite. */
const postgresBound = { name: 'scheduling: the same from PostgreSQL, CPU to ready-made', max: 30, unit: '×' };

/** Measures the same list from PostgreSQL, in the CPU of the API process alone. */
export async function measureListFromPostgres(say: (text: string) => void): Promise<readonly Figure[]> {
  if (findPostgres() === undefined) return [notRun(postgresBound, 'no PostgreSQL on this machine')];
  const database = await startPostgres();
  try {
    await fillPostgres(database.url, postgresCompanies);
    const server = await startScheduling({ url: database.url });
    const bytes = await fetch(server.url + listPath, server).then((response) => response.bytes());
    const readyMade = await startReadyMade(bytes);
    try {
      const { toReadyMade } = await compareLists(server, readyMade, { rounds: 5, listsPerRound: 20 }, say);
      return [toFigure(postgresBound, median(toReadyMade))];
    } finally {
      await server.stop();
      await readyMade.stop();
    }
  } finally {
    await database.close();
  }
}

/** Returns the CPU ratio of a list to its bytes ready-made, for each round. */
async function compareLists(
  server: Scheduling,
  readyMade: ServerProcess,
  { rounds, listsPerRound }: { readonly rounds: number; readonly listsPerRound: number },
  say: (text: string) => void,
  eachRound: () => Promise<void> = async () => {},
): Promise<{ readonly toReadyMade: readonly number[] }> {
  const ours = { server, path: listPath, headers: server.headers, connections: 2 };
  const theirs = { server: readyMade, path: '/', connections: 2 };
  for (const load of [ours, theirs]) await cpuPerRequest(load, listsPerRound);
  const toReadyMade: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const list = await cpuPerRequest(ours, listsPerRound);
    const floor = await cpuPerRequest(theirs, listsPerRound);
    await eachRound();
    toReadyMade.push(list / floor);
    say(`${ms(list)} CPU per list, ${ms(floor)} ready-made`);
  }
  return { toReadyMade };
}

/** Returns the milliseconds from sending the request to the first byte of its body. */
function timeFirstByte({ url, headers }: Scheduling): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let firstMs = 0;
    request(url + listPath, { headers, agent: false }, (response) => {
      response
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
