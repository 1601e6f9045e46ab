import { spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import type { ModuleFault } from './import-error.ts';
import { type ModuleFile, type ModuleGraph, reachedBy } from './module-graph.ts';
import { trialProgram } from './service-modules.ts';
import { type ModulePlace, placeInStack, urlOfVersion } from './versioned-url.ts';

/** Loads modules where they can do no harm; resolves with the faults of those that must not enter this process. */
export type TryModules = (
  entries: readonly string[],
  graph: ModuleGraph,
  folder: string,
) => Promise<ReadonlyMap<string, readonly ModuleFault[]>>;

export interface ModuleTrialOptions {
  /** How long one module may take to load. */
  readonly loadMs?: number;
  /** How long what it has begun is watched for errors. */
  readonly settleMs?: number;
  readonly execArgv?: readonly string[];
}

/** What the trial process is to do. */
export interface TrialJob {
  readonly settleMs: number;
  readonly folder: string;
  readonly entries: readonly string[];
  readonly modules: readonly ModuleFile[];
}

/** A line of what the trial process reports; one with only an entry says that its loading begins. */
export interface TrialReport {
  readonly entry?: string;
  readonly faults?: readonly ModuleFault[];
  /** Nothing is left that could end a top-level await. */
  readonly isStalled?: boolean;
  readonly isLoaded?: boolean;
  readonly isSettled?: boolean;
}

/**
 * Tries modules in a process of their own. A version that has passed is not tried again, so an edit that changes no
 * module of a service starts no process. A module that ends or blocks the process is rejected, and the others are
 * tried without it.
 */
export function createModuleTrial(options: ModuleTrialOptions = {}): TryModules {
  const { loadMs = 5_000, settleMs = 200, execArgv = process.execArgv } = options;
  const passed = new Set<string>();
  const keyOf = (entry: string, graph: ModuleGraph) => urlOfVersion(entry, graph.get(entry)?.version ?? '');
  return async (entries, graph, folder) => {
    const faults = new Map<string, readonly ModuleFault[]>();
    const add = (entry: string, list: readonly ModuleFault[]) => {
      if (!faults.has(entry)) faults.set(entry, list);
    };
    const untried = entries.filter((entry) => !passed.has(keyOf(entry, graph)));
    const groups = untried.length === 0 ? [] : [untried];
    const endsMs = performance.now() + totalMs;
    for (const group of groups) {
      if (performance.now() > endsMs) {
        for (const entry of group) add(entry, [{ ...placeOfStart(entry), field: '', detail: untriedDetail }]);
        continue;
      }
      const job = { settleMs, folder, entries: group, modules: reachedBy(group, graph) };
      const { reports, end } = await runTrial(job, loadMs, execArgv);
      for (const { entry, faults } of reports) if (entry !== undefined && faults !== undefined) add(entry, faults);
      if (reports.some(({ isSettled }) => isSettled)) continue;
      const isLoaded = reports.some((report) => report.isLoaded);
      const isStalled = reports.some((report) => report.isStalled);
      const found = placeInStack(end.stderr);
      const loading = reports.findLast(({ entry, faults }) => entry !== undefined && faults === undefined)?.entry;
      const guilty = isLoaded
        ? group.length === 1
          ? group[0]
          : onlyImporter(found, group, graph)
        : (loading ?? group[0]);
      if (guilty === undefined) {
        // Any of them may have ended it: each is tried alone.
        groups.push(...group.map((entry) => [entry]));
        continue;
      }
      const place = found ?? (isStalled || end.how === 'late' ? placeOfAwait : placeOfStart)(guilty, graph);
      add(guilty, [{ ...place, field: '', detail: isStalled ? stalledDetail : detailOf(end, loadMs) }]);
      const others = group.filter((entry) => !faults.has(entry));
      if (others.length > 0) groups.push(others);
    }
    for (const entry of faults.size === 0 ? entries : []) passed.add(keyOf(entry, graph));
    return faults;
  };
}

interface TrialEnd {
  readonly how: 'exited' | 'late' | 'failed';
  /** The exit code, the signal or the code of the system error. */
  readonly code: string;
  readonly stderr: string;
  readonly heapMebibytes: number;
}

async function runTrial(job: TrialJob, loadMs: number, execArgv: readonly string[]) {
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
      // Makes SIGINT print the stack of a loop that never ends.
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
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('error', (error: NodeJS.ErrnoException) => resolve({ how: 'failed', code: error.code ?? 'unknown' }));
  const ended = (code: number | null, signal: NodeJS.Signals | null) =>
    resolve({ how: isLate ? 'late' : 'exited', code: String(signal ?? code) });
  child.once('close', ended);
  // A process that a module has started may hold the pipes open.
  child.once('exit', (code, signal) => void setTimeout(ended, 500, code, signal).unref());
  child.stderr?.on('data', (chunk) => {
    if (stderr.length < stderrLengthMax) stderr += chunk;
  });
  createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => {
    const report = parseReport(line);
    if (report === undefined) return;
    reports.push(report);
    if (report.faults !== undefined || isLate) return;
    clearTimeout(timer);
    timer = setTimeout(end, loadMs);
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(job));
  const outcome = await promise;
  clearTimeout(timer);
  process.off('exit', kill);
  for (const pipe of child.stdio) pipe?.destroy();
  return { reports, end: { ...outcome, stderr, heapMebibytes } };
}

/** Undefined for a line that was cut off, or that a module wrote there. */
function parseReport(line: string): TrialReport | undefined {
  try {
    const report: unknown = JSON.parse(line);
    return typeof report === 'object' && report !== null ? report : undefined;
  } catch {
    return undefined;
  }
}

const stderrLengthMax = 65_536;
/** How long the process may take to start, on a machine that is busy. */
const startMs = 15_000;
/** After so long no further process is started. */
const totalMs = 30_000;

/** Half of what this process has left, since the previous versions of the modules stay in its memory. */
function heapOfTrial(): number {
  const { heap_size_limit, used_heap_size } = getHeapStatistics();
  return Math.max(64, Math.floor((heap_size_limit - used_heap_size) / 2 ** 21));
}

const stalledDetail =
  'It does not load: a top-level await never ends, because nothing is left that could end it. Await it in handle.';
const untriedDetail = 'It was not loaded, because other files took too long. Correct those first.';

function detailOf({ how, code, stderr, heapMebibytes }: TrialEnd, loadMs: number): string {
  if (/heap out of memory|heap limit/.test(stderr))
    return `It takes more than ${heapMebibytes} MiB of memory to load. Load less, or raise --max-old-space-size.`;
  if (how === 'late')
    return `It does not finish loading within ${loadMs / 1000} s. Move what takes so long, or loops, into handle.`;
  if (how === 'failed') return `No process could be started to try it (${code}). Allow the server to start processes.`;
  return `It ends the process that loads it (${code}). Leave out what does so.`;
}

/** The entry that reaches the module of this place; undefined when several do. */
function onlyImporter(
  place: ModulePlace | undefined,
  entries: readonly string[],
  graph: ModuleGraph,
): string | undefined {
  const found = entries.filter((entry) => reachedBy([entry], graph).some(({ path }) => path === place?.path));
  return found.length === 1 ? found[0] : undefined;
}

function placeOfStart(path: string): ModulePlace {
  return { path, line: 1, column: 1 };
}

/** The first line that awaits outside of any function, as far as indentation shows it. */
function placeOfAwait(entry: string, graph: ModuleGraph): ModulePlace {
  for (const { path, text } of reachedBy([entry], graph)) {
    const found = /^(?:[^\s/*].*\W)?await\b/m.exec(text);
    if (found === null) continue;
    const before = text.slice(0, found.index + found[0].length - 'await'.length).split('\n');
    return { path, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
  return placeOfStart(entry);
}
