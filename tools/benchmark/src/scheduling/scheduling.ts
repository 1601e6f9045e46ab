import { randomBytes, scryptSync } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OpenStore, openSqliteStore, openStore } from '@rostergate/scheduling';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

const app = (path: string) => fileURLToPath(new URL(`../../../../apps/scheduling/${path}`, import.meta.url));
const built = app('dist/main.js');
const program = existsSync(built) ? [built] : ['--conditions=source', app('src/main.ts')];
const email = 'benchmark@rostergate.example';
export const companyKey = 'benchmark-company';

export interface Scheduling extends ServerProcess {
  /** The token of an admin of the company. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A SQLite file, or the URL of a PostgreSQL database. */
export type Database = { readonly file: string } | { readonly url: string };

/** Starts the API on a database and logs an admin in. */
export async function startScheduling(database: Database): Promise<Scheduling> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const password = randomBytes(16).toString('hex');
  const account = { email, password: hashOf(password), company_key: companyKey, admin: true };
  await writeFile(join(folder, 'accounts.json'), JSON.stringify([account]));
  const port = await pickFreePort();
  const server = await startServer({
    args: [...program, 'serve'],
    cwd: folder,
    env: {
      ROSTERGATE_SCHEDULING_PORT: String(port),
      ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: join(folder, 'accounts.json'),
      ROSTERGATE_SCHEDULING_LOG_LEVEL: 'warn',
      ...('file' in database
        ? { ROSTERGATE_SCHEDULING_DATABASE_FILE: database.file }
        : { ROSTERGATE_SCHEDULING_DATABASE_URL: database.url }),
    },
    port,
  });
  return {
    ...server,
    headers: { Authorization: `Bearer ${await logIn(server.url, password)}` },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function logIn(url: string, password: string): Promise<string> {
  const response = await fetch(`${url}/v2/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

function hashOf(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 16_384, r: 8, p: 1 });
  return `scrypt:16384:8:1:${salt.toString('base64url')}:${hash.toString('base64url')}`;
}

const staff = 1_000;
const tags = 5;
const skills = 4;

const rosters = new Map<number, Promise<string>>();

/** Returns the file of a database with companies of 1,000 people, 5 tags and 4 skills each; created once per run. */
export function loadRoster(companies: number): Promise<string> {
  let file = rosters.get(companies);
  if (file === undefined) {
    file = createRoster(companies);
    rosters.set(companies, file);
  }
  return file;
}

async function createRoster(companies: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-roster-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'roster.sqlite');
  await fill(await openSqliteStore({ file }), companies);
  return file;
}

/** Fills a PostgreSQL database with the same companies. */
export async function fillPostgres(url: string, companies: number): Promise<void> {
  const settings = { database_url: url, database_connections_max: 2, statement_timeout_ms: 60_000 };
  await fill(await openStore({ ...settings, database_file: '' }, { clock: Date.now }), companies);
}

async function fill({ store }: OpenStore, companies: number): Promise<void> {
  await store.seedDemo({ companyKey, companies, staff, otherStaff: staff, tags, skills });
  await store.close();
}
