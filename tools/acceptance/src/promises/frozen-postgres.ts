import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** All processes of a PostgreSQL, frozen and resumed together. */
export interface FrozenPostgres {
  /** Returns the ids of the processes that run now. */
  pids(): readonly number[];
  /** Sends SIGSTOP: no response arrives, and no connection ends. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): Promise<void>;
}

/** @param url of a server that the trial has started on this machine */
export async function findPostgresProcesses(url: string): Promise<FrozenPostgres> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(Number(rows[0]?.pid));
  await client.end();
  if (postmaster === undefined || postmaster <= 1) throw new Error('PostgreSQL has no process on this machine.');
  let guard: ChildProcess | undefined;
  return {
    pids: () => [postmaster, ...childrenOf(postmaster)],
    freeze() {
      // The postmaster first, so that it starts nothing more.
      process.kill(postmaster, 'SIGSTOP');
      const pids = childrenOf(postmaster);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      // The shell resumes PostgreSQL at the end of its input, also when this process is killed.
      const all = [postmaster, ...pids].map(String);
      guard = spawn('sh', ['-c', 'read -r _; kill -s CONT "$@"', 'sh', ...all], {
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
    },
    async thaw() {
      if (guard === undefined) return;
      const ended = once(guard, 'exit');
      guard.stdin?.end();
      guard = undefined;
      await ended;
    },
  };
}

function childrenOf(pid: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((one) => parentOf(one) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    // The process name in parentheses can contain any character.
    const [, rest = ''] = /^\d+ \(.*\) \S (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(rest.split(' ')[0]);
  } catch {
    return undefined;
  }
}
