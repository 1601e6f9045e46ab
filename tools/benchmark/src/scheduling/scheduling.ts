import { randomBytes, scryptSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { companyKey } from './roster.ts';

const app = (path: string) => fileURLToPath(new URL(`../../../../apps/scheduling/${path}`, import.meta.url));
const built = app('dist/main.js');
const program = existsSync(built) ? [built] : ['--conditions=source', app('src/main.ts')];
const email = 'benchmark@rostergate.example';

export interface Scheduling extends ServerProcess {
  /** The token of an admin of the company. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A SQLite file, or the URL of a PostgreSQL database. */
type Database = { readonly file: string } | { readonly url: string };

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
