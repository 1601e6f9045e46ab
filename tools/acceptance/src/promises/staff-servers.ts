import type { Figure } from '../../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../../workspace/demo-credentials.mjs';
import { type AtEnd, makeTemporaryFolder } from '../at-end.ts';
import { createFile, createPostgresDatabase } from '../database.ts';
import { type SpawnedScheduling, spawnScheduling } from '../spawn-scheduling.ts';
import { logIn } from './ask-as.ts';
import type { Trial } from './define-promise.ts';
import { needPostgres } from './need-services.ts';

export interface StaffServers {
  readonly companyKey: string;
  /** Starts another server on the database. */
  start(env?: Readonly<Record<string, string>>): Promise<SpawnedScheduling>;
  /** Logs an administrator in; resolves with the header field. */
  logIn(server: SpawnedScheduling): Promise<{ readonly Authorization: string }>;
}

/** Prepares scheduling servers with the demo accounts on one database; `seed: 'demo'` fills it with people. */
export async function openStaffServers(
  databaseEnv: Readonly<Record<string, string>>,
  atEnd: AtEnd,
  seed: 'demo' | 'none' = 'none',
): Promise<StaffServers> {
  const folder = await makeTemporaryFolder('rostergate-staff-servers-', atEnd);
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

/** @param databaseEnv the environment that makes a scheduling server use the database */
export type TryDatabase = (
  name: string,
  databaseEnv: Readonly<Record<string, string>>,
  trial: Trial,
) => Promise<readonly Figure[]>;

/** Runs the trial on SQLite and then on PostgreSQL, each with an empty database. @throws NotRun without PostgreSQL */
export async function tryBothDatabases(trial: Trial, tryDatabase: TryDatabase): Promise<readonly Figure[]> {
  const postgres = await needPostgres(trial.atEnd);
  const file = await createFile();
  trial.atEnd(file.drop);
  const { env } = await createPostgresDatabase(postgres.url);
  return [...(await tryDatabase('SQLite', file.env, trial)), ...(await tryDatabase('PostgreSQL', env, trial))];
}
