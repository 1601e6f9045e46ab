import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { CommandFailure, exitCodes } from '@rostergate/config/command';

/** Writes an archive with pg_dump, which contains the database as it is at the start. */
export async function writePostgresBackup(
  databaseUrl: string,
  path: string,
  env: Env,
): Promise<Readonly<Record<string, number>>> {
  const { address, password } = splitPassword(databaseUrl);
  const args = ['--format=custom', '--no-password', `--file=${path}`, `--dbname=${address}`];
  // Only the owner may read the file, from the first byte on.
  fs.writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
  await run('pg_dump', args, { ...env, ...(password !== '' && { PGPASSWORD: password }) });
  const { stdout } = await run('pg_restore', ['--list', path], env);
  const tables = stdout.match(/^\d+;.* TABLE DATA /gm) ?? [];
  if (tables.length > 0) return { tables: tables.length };
  throw new CommandFailure('The archive contains no tables, so it was deleted.', exitCodes.failed);
}

/** Returns the address without its password, which `ps` would show, and the password. */
function splitPassword(text: string): { readonly address: string; readonly password: string } {
  const url = new URL(text);
  const password = decodeURIComponent(url.password) || (url.searchParams.get('password') ?? '');
  url.password = '';
  url.searchParams.delete('password');
  return { address: url.href, password };
}

type Env = Readonly<Record<string, string | undefined>>;

async function run(program: string, args: readonly string[], env: Env): Promise<{ readonly stdout: string }> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => child.kill();
  process.once('exit', end);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const code = await endOf(child, program).finally(() => process.off('exit', end));
  if (code === 0) return output;
  const reason = output.stderr.trim().split('\n').slice(0, 3).join(' ');
  throw new CommandFailure(`${program} failed: ${reason || `it ended with ${code}`}`, exitCodes.failed);
}

async function endOf(child: ChildProcess, program: string): Promise<unknown> {
  try {
    const [code, signal] = await once(child, 'close');
    return code ?? signal;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const detail =
      `${program} is not installed. Install the PostgreSQL clients, in the version of the server or a later one ` +
      '(Debian and Ubuntu: apt-get install postgresql-client; macOS: brew install libpq; Windows: its installer).';
    throw new CommandFailure(detail, exitCodes.failed, { cause: error });
  }
}
