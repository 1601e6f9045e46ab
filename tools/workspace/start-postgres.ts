import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pickFreePort } from './free-ports.ts';

export interface PostgresServer {
  /** Of its first database, with its password: `postgres://…`. */
  readonly url: string;
  /** Ends it by force, as a crash would. */
  stop(): Promise<void>;
  /** Starts it again at the same port, with what it had on its disk. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/** For vitest: one server a run, whose URL the test files find in TEST_POSTGRES_URL. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.url;
  return () => server.close();
}

/** Starts a PostgreSQL of its own in a temporary folder, on a free port of this machine. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('PostgreSQL is needed here: apt-get install postgresql.');
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

/** The folder of the server's programs. Debian keeps them in one of their version, which is on nobody's PATH. */
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
      // There is no such user.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.');
}

/** A temporary folder that the other user can reach: one below a folder of root's own hides all that is in it. */
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
  // Sorted by the rules of a language: what needs the order of code points has to say so.
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
 * The server beneath a shell that waits for the end of its own input: however this process ends, the server ends with
 * it, and so does its folder unless there was an order to leave it.
 */
const guardScript = `
  folder=$1; shift
  "$@" & server=$!
  read -r order
  kill -s "\${order:-INT}" "$server"
  wait "$server"
  [ -n "$order" ] || rm -rf "$folder"
`;

async function launch(programs: string, folder: string, port: number, user: User | undefined): Promise<ChildProcess> {
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 },
    // What is written outlives the server, which may crash, and not the machine, which is not tried.
    fsync: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(programs, 'postgres'), '-D', join(folder, 'data'), ...args];
  const guard = spawn('sh', ['-c', guardScript, 'sh', folder, ...command], {
    ...user,
    cwd: '/',
    // Beyond the reach of Ctrl-C, which would end the shell alone.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    guard.once('error', reject);
    guard.once('close', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${said}`)));
    guard.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-8_192);
      if (said.includes('is ready to accept connections')) resolve();
      else if (said.includes('database system is shut down')) guard.stdin.end('TERM\n');
    });
  });
  return guard;
}

/** Resolves once every process of the server is gone: each holds the pipe that is read here. */
async function end(guard: ChildProcess | undefined, signal: 'INT' | 'KILL'): Promise<void> {
  if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) return;
  const closed = once(guard, 'close');
  guard.stdin?.end(`${signal}\n`);
  await closed;
}
