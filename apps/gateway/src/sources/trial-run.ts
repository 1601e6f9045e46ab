import { spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics, serialize } from 'node:v8';
import type { ConfigFault, Environment } from '@rostergate/config';
import type { FileStates } from '@rostergate/config/reload';
import type { ModuleFault } from './import-error.ts';
import { type ModuleFile, trialProgram } from './service-modules.ts';

/** The sources of an edited configuration. */
export interface EditFiles {
  readonly settingsFile: string;
  readonly isSettingsFileNamed?: boolean | undefined;
  readonly env: Environment;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** The contents of every file. */
  readonly states: FileStates;
  /** Paths that the current configuration has read: each must still exist. */
  readonly there: readonly string[];
}

/** The job of a trial process. */
export interface TrialJob {
  readonly settleMs: number;
  readonly folder: string;
  readonly entries: readonly string[];
  readonly modules: readonly ModuleFile[];
  /** The edit to check once the modules are loaded; without it, only the modules are loaded. */
  readonly edit?: EditFiles & {
    readonly version: string;
    readonly isToServe: boolean;
    /** Modules that an earlier process has rejected. */
    readonly rejected: ReadonlyMap<string, readonly ModuleFault[]>;
  };
}

/** A report of the trial process; one with only an entry reports that its loading begins. */
export interface TrialReport {
  readonly entry?: string;
  readonly faults?: readonly ModuleFault[];
  /** A top-level await is pending, but the process has no more work that could resolve it. */
  readonly isStalled?: boolean;
  readonly isLoaded?: boolean;
  /** Sent several times per second while the edit is checked. */
  readonly isChecking?: boolean;
  /** The faults of the whole edit. */
  readonly checked?: readonly ConfigFault[];
  readonly isSettled?: boolean;
}

export interface TrialEnd {
  readonly how: 'exited' | 'late' | 'failed';
  /** The exit code, the signal or the code of the system error. */
  readonly code: string;
  readonly stderr: string;
  readonly heapMebibytes: number;
}

export interface TrialRunOptions {
  /** The longest time until the first report. */
  readonly startMs: number;
  /** The longest time between two reports of the process. */
  readonly loadMs: number;
  readonly execArgv: readonly string[];
}

/** Runs a trial process; resolves with its reports and how it ended. */
export async function runTrial(
  job: TrialJob,
  { startMs, loadMs, execArgv }: TrialRunOptions,
): Promise<{ readonly reports: readonly TrialReport[]; readonly end: TrialEnd }> {
  const heapMebibytes = heapOfTrial();
  const reports: TrialReport[] = [];
  const { promise, resolve } = Promise.withResolvers<Pick<TrialEnd, 'how' | 'code'>>();
  const cache = getCompileCacheDir();
  let stderr = '';
  let isLate = false;
  const child = spawn(
    process.execPath,
    [
      ...execArgv.filter((arg) => !/^--(inspect|cpu-prof|heap-prof)/.test(arg)),
      // Makes SIGINT print the stack of an endless loop.
      '--trace-sigint',
      '--disable-sigusr1',
      `--max-old-space-size=${heapMebibytes}`,
      fileURLToPath(trialProgram),
    ],
    {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      env: cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) },
    },
  );
  const end = () => {
    isLate = true;
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 500).unref();
  };
  let timer = setTimeout(end, startMs);
  let checkTimer: NodeJS.Timeout | undefined;
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('error', (error: NodeJS.ErrnoException) => resolve({ how: 'failed', code: error.code ?? 'unknown' }));
  const ended = (code: number | null, signal: NodeJS.Signals | null) =>
    resolve({ how: isLate ? 'late' : 'exited', code: String(signal ?? code) });
  child.once('close', ended);
  // A child process of a module may hold the pipes open.
  child.once('exit', (code, signal) => void setTimeout(ended, 500, code, signal).unref());
  child.stderr?.on('data', (chunk) => {
    if (stderr.length < stderrLengthMax) stderr += chunk;
  });
  createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => {
    const report = parseReport(line);
    if (report === undefined) return;
    if (!report.isChecking) reports.push(report);
    if (report.faults !== undefined || isLate) return;
    if (report.isLoaded) checkTimer ??= setTimeout(end, checkMs);
    clearTimeout(timer);
    timer = setTimeout(end, loadMs);
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(serialize(job));
  const outcome = await promise;
  clearTimeout(timer);
  clearTimeout(checkTimer);
  process.off('exit', kill);
  for (const pipe of child.stdio) pipe?.destroy();
  return { reports, end: { ...outcome, stderr, heapMebibytes } };
}

/** Parses a report; undefined for an incomplete line and for output of a module. */
function parseReport(line: string): TrialReport | undefined {
  try {
    const report: unknown = JSON.parse(line);
    return typeof report === 'object' && report !== null ? report : undefined;
  } catch {
    return undefined;
  }
}

const stderrLengthMax = 65_536;
/** How long it may take to check the edit once the modules are loaded. */
const checkMs = 30_000;

/** Returns half of this process's free heap: previous versions of the modules stay in its memory. */
function heapOfTrial(): number {
  const { heap_size_limit, used_heap_size } = getHeapStatistics();
  return Math.max(64, Math.floor((heap_size_limit - used_heap_size) / 2 ** 21));
}
