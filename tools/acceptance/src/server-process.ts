import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endProcess, hasEnded } from './end-process.ts';
import { pollUntil } from './poll-until.ts';
import { outsideEnv } from './start-server.ts';

/** One line of a server's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly log: readonly LogLine[];
  /** Returns all output so far. */
  output(): string;
  /** Resolves with the first matching log line; throws if the server exits before. */
  logged(fits: (line: LogLine) => boolean): Promise<LogLine>;
  /** Forgets all output so far. */
  forget(): void;
  /** Stops it by SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Makes a server without a file watcher read its files; resolves with the line that logs the outcome. */
export function reload({ child, forget, logged }: ServerProcess): Promise<LogLine> {
  forget();
  child.kill('SIGHUP');
  return logged(({ msg, trigger }) => trigger === 'SIGHUP' && msg?.startsWith('configuration ') === true);
}

export interface SpawnOptions {
  /** The path of its main file. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a server and reads its log. */
export function spawnServer({ program, args, cwd, env }: SpawnOptions): ServerProcess {
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    cwd,
    env: { ...outsideEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  let text = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    text += `${line}\n`;
    // Human-readable stack traces also contain lines that start with a brace.
    if (line.startsWith('{"')) log.push(JSON.parse(line) as LogLine);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const output = () => text;
  const forget = () => {
    log.length = 0;
    text = '';
  };
  const logged = async (fits: (line: LogLine) => boolean): Promise<LogLine> => {
    let found: LogLine | undefined;
    const isThere = () => {
      found = log.find(fits);
      if (found === undefined && hasEnded(child)) throw new Error(`The server exited with ${child.exitCode}:\n${text}`);
      return found !== undefined;
    };
    await pollUntil(isThere, { withinMs: 60_000, everyMs: 20, describe: () => `no such line in the log:\n${text}` });
    return found as LogLine;
  };
  return { child, log, output, logged, forget, stop: () => endProcess(child) };
}
