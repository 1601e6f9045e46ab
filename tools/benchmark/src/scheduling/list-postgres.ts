import { findPostgres, startPostgres } from '../../../workspace/start-postgres.ts';
import { cpuPerRequest } from '../cpu-per-request.ts';
import { type Figure, judge, median, notRun } from '../figure.ts';
import { listPath } from './list.ts';
import { startReadyMade } from './peers.ts';
import { fillPostgres } from './roster.ts';
import { startScheduling } from './scheduling.ts';

const rounds = 5;
const listsPerRound = 20;
/** Fewer companies than with SQLite: what they take is not this process's. */
const companies = 10;
/** Rows come over a socket, as text: by nature more than twice of what SQLite takes. */
const bound = { name: 'scheduling: the same from PostgreSQL, CPU to ready-made', max: 30, unit: '×' };

/** The whole company out of PostgreSQL; counted is the process of the API, without the database's own. */
export async function measureListFromPostgres(say: (text: string) => void): Promise<readonly Figure[]> {
  if (findPostgres() === undefined) return [notRun(bound, 'no PostgreSQL on this machine')];
  const database = await startPostgres();
  try {
    await fillPostgres(database.url, companies);
    const server = await startScheduling({ url: database.url });
    const bytes = await fetch(server.url + listPath, server).then((answer) => answer.bytes());
    const readyMade = await startReadyMade(bytes);
    try {
      const ours = { server, path: listPath, headers: server.headers, connections: 2 };
      const theirs = { server: readyMade, path: '/', connections: 2 };
      for (const asked of [ours, theirs]) await cpuPerRequest(asked, listsPerRound);
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const list = await cpuPerRequest(ours, listsPerRound);
        const floor = await cpuPerRequest(theirs, listsPerRound);
        ratios.push(list / floor);
        say(`${(list / 1_000).toFixed(2)} ms CPU a list, ${(floor / 1_000).toFixed(2)} ms ready-made`);
      }
      return [judge(bound, median(ratios))];
    } finally {
      await server.stop();
      await readyMade.stop();
    }
  } finally {
    await database.close();
  }
}
