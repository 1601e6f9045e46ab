import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pickFreePort } from './free-ports.ts';

export interface PostgresServer {
  /** `postgres://…`, with the password. */
  readonly url: string;
  /** Kills the server, as in a crash. */
  stop(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  close(): Promise<void>;
}

/** Global setup of vitest: one server per run, with its URL in TEST_POSTGRES_URL. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.url;
  return () => server.close();
}

/** Starts a PostgreSQL server in a temporary folder, on a free port. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('PostgreSQL is not installed. Install it: apt-get install postgresql.');
  const user = process.getuid?.() === 0 ? findPlainUser() : undefined;
  const folder = mkdtempSync(join(findOpenFolder(user !== undefined), 'rostergate-postgres-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const password = randomBytes(12).toString('base64url');
  const port = await pickFreePort();
  initialize(programs, folder, password, user);

  let guard: ChildProcess | undefined;
  const server: PostgresServer = {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async start() {
      guard = await launch(programs, folder, port, user);
    },
    async stop() {
      await end(guard, 'KILL');
    },
    async close() {
      await end(guard, 'INT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return server;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the folder of the server's programs. Debian installs them outside the PATH, one folder per version. */
export function findPostgres(): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions];
  return folders.find((each) => existsSync(join(each, 'initdb')) && existsSync(join(each, 'postgres')));
}

/** The server refuses to run as root. */
function findPlainUser(): User {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The user does not exist.
    }
  }
  throw new Error('PostgreSQL does not run as root, and no user "postgres" or "nobody" exists.');
}

/** Returns a temporary folder whose parents all users may enter. */
function findOpenFolder(isForOthers: boolean): string {
  const isOpen = (folder: string): boolean => {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    return folder === dirname(folder) || isOpen(dirname(folder));
  };
  const folders = [resolve(tmpdir()), '/tmp', '/var/tmp'].filter((each) => existsSync(each));
  return (isForOthers ? folders.find(isOpen) : folders[0]) ?? tmpdir();
}

function initialize(programs: string, folder: string, password: string, user: User | undefined): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
  const data = ['-D', join(folder, 'data'), '--no-sync', '--username=postgres', `--pwfile=${passwordFile}`];
  // A language's collation: queries that need code point order must request it.
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  try {
    const options = { ...user, cwd: folder, stdio: 'pipe' } as const;
    execFileSync(join(programs, 'initdb'), [...data, '--auth=scram-sha-256', ...text], options);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed:\n${(error as { stderr?: Buffer }).stderr ?? error}`);
  }
}

/**
 * Runs the server under a shell that reads its input: when this process exits for any reason, the input ends, and the
 * shell stops the server and removes its folder. A signal name on the input keeps the folder.
 */
const guardScript = `
  folder=$1; shift
  "$@" & server=$!
  read -r signal
  kill -s "\${signal:-INT}" "$server"
  wait "$server"
  [ -n "$signal" ] || rm -rf "$folder"
`;

async function launch(programs: string, folder: string, port: number, user: User | undefined): Promise<ChildProcess> {
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 },
    // Tests crash the server, not the machine: data in the page cache survives.
    fsync: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(programs, 'postgres'), '-D', join(folder, 'data'), ...args];
  const guard = spawn('sh', ['-c', guardScript, 'sh', folder, ...command], {
    ...user,
    cwd: '/',
    // Ctrl-C would stop only the shell.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    guard.once('error', reject);
    guard.once('close', (code) => reject(new Error(`PostgreSQL exited with ${code}:\n${output}`)));
    guard.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-8_192);
      if (output.includes('is ready to accept connections')) resolve();
      else if (output.includes('database system is shut down')) guard.stdin.end('TERM\n');
    });
  });
  return guard;
}

/** Resolves once every process of the server has exited: each one holds the pipe open. */
async function end(guard: ChildProcess | undefined, signal: 'INT' | 'KILL'): Promise<void> {
  if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) return;
  const closed = once(guard, 'close');
  guard.stdin?.end(`${signal}\n`);
  await closed;
}
