import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../../workspace/demo-credentials.mjs';
import { findPostgres, startPostgres } from '../../../workspace/start-postgres.ts';
import type { AtEnd } from '../at-end.ts';
import { createFile, createPostgresDatabase } from '../database.ts';
import { type SpawnedScheduling, spawnScheduling } from '../spawn-scheduling.ts';
import { logIn } from './ask-as.ts';
import { NotRun, type Trial } from './define-promise.ts';

export interface StaffServers {
  readonly companyKey: string;
  /** Starts one more server on the database. */
  start(env?: Readonly<Record<string, string>>): Promise<SpawnedScheduling>;
  /** The header field of an administrator. */
  logIn(server: SpawnedScheduling): Promise<{ readonly Authorization: string }>;
}

/** Scheduling servers with the demo accounts on one database; `seed: 'demo'` fills it with people. */
export async function openStaffServers(
  databaseEnv: Readonly<Record<string, string>>,
  atEnd: AtEnd,
  seed: 'demo' | 'none' = 'none',
): Promise<StaffServers> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-staff-servers-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { credentials, env: demoEnv } = await loadDemoCredentials(folder);
  const { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE = '' } = demoEnv;
  const common = { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE, ROSTERGATE_SCHEDULING_SEED: seed, ...databaseEnv };
  return {
    companyKey: credentials.COMPANY_KEY,
    async start(env = {}) {
      const server = await spawnScheduling({ ...common, ...env });
      atEnd(server.stop);
      return server;
    },
    logIn: ({ url }) => logIn(url, credentials.SCHEDULING_ADMIN_EMAIL, credentials.SCHEDULING_ADMIN_PASSWORD),
  };
}

/** @param databaseEnv what a scheduling server has to be told to use the database */
export type TryDatabase = (
  name: string,
  databaseEnv: Readonly<Record<string, string>>,
  trial: Trial,
) => Promise<readonly Figure[]>;

/** Tries SQLite and then PostgreSQL, each with an empty database. @throws NotRun where PostgreSQL is not installed */
export async function tryBothDatabases(trial: Trial, tryDatabase: TryDatabase): Promise<readonly Figure[]> {
  if (findPostgres() === undefined) throw new NotRun('PostgreSQL is not here: apt-get install postgresql.');
  const postgres = await startPostgres();
  trial.atEnd(postgres.close);
  const file = await createFile();
  trial.atEnd(file.drop);
  const { env } = await createPostgresDatabase(postgres.url);
  return [...(await tryDatabase('SQLite', file.env, trial)), ...(await tryDatabase('PostgreSQL', env, trial))];
}
