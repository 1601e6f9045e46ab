import type { ConfigFault } from '@rostergate/config';
import type { ModuleFault } from './import-error.ts';
import { type ModuleGraph, reachedBy } from './service-modules.ts';
import { type ModulePlace, placeInStack } from './service-origin.ts';
import { type EditFiles, runTrial, type TrialEnd, type TrialReport } from './trial-run.ts';

/** An edit with new service code. */
export interface Edit extends EditFiles {
  readonly folder: string;
  readonly entries: readonly string[];
  readonly graph: ModuleGraph;
}

export interface EditVerdict {
  /** The faults of all files, in reading order. */
  readonly faults: readonly ConfigFault[];
  /** The modules that do not load. The last rejected ones are not among the faults. */
  readonly rejected: ReadonlyMap<string, readonly ModuleFault[]>;
}

/** Checks a whole edit without harm from its code. The edit is accepted if the verdict is empty. */
export type TryEdit = (edit: Edit) => Promise<EditVerdict>;

export interface EditTrialOptions {
  readonly version: string;
  /** Whether the environment variables that upstreams need are required. */
  readonly isToServe?: boolean;
  /** How long the process may take to start on a busy machine. */
  readonly startMs?: number;
  /** How long one module may take to load. */
  readonly loadMs?: number;
  /** How long timers and the like of loaded modules are watched for errors. */
  readonly settleMs?: number;
  readonly execArgv?: readonly string[];
}

/**
 * Returns a function that checks an edit in a separate process, which loads the modules, reads the configuration and
 * builds the generation. A module that ends or blocks the process is rejected, and the edit is checked again without it,
 * so that the faults of all files are found.
 */
export function createEditTrial(options: EditTrialOptions): TryEdit {
  const { version, isToServe = true, startMs = 15_000, loadMs = 5_000, settleMs = 200 } = options;
  const { execArgv = process.execArgv } = options;
  return async ({ entries, graph, folder, ...files }) => {
    const rejected = new Map<string, readonly ModuleFault[]>();
    const reject = (entry: string, faults: readonly ModuleFault[]) => {
      if (!rejected.has(entry)) rejected.set(entry, faults);
    };
    const endsMs = performance.now() + totalMs;

    /** Loads these modules in a trial process and, if `isWhole`, checks the edit; returns the reports and the end. */
    async function attempt(group: readonly string[], isWhole: boolean) {
      const edit = isWhole ? { ...files, version, isToServe, rejected } : undefined;
      const job = { settleMs, folder, entries: group, modules: reachedBy(group, graph), ...(edit && { edit }) };
      const { reports, end } = await runTrial(job, { startMs, loadMs, execArgv });
      for (const { entry, faults } of reports) if (entry !== undefined && faults !== undefined) reject(entry, faults);
      const isSettled = reports.some((report) => report.isSettled);
      return { reports, end, isSettled };
    }

    for (;;) {
      const left = entries.filter((entry) => !rejected.has(entry));
      if (performance.now() > endsMs) {
        for (const entry of left) reject(entry, [{ ...placeOfStart(entry), field: '', detail: untriedDetail }]);
        return { rejected, faults: [] };
      }
      const { reports, end, isSettled } = await attempt(left, true);
      const checked = reports.find((report) => report.checked)?.checked;
      if (isSettled && checked !== undefined) return { rejected, faults: checked };
      const isUnstarted = reports.length === 0 && end.how === 'late';
      const why = isUnstarted ? unstartedDetail(startMs) : detailOf(end, loadMs);
      if (reports.length === 0 || left.length === 0) {
        for (const entry of left) reject(entry, [{ ...placeOfStart(entry), field: '', detail: why }]);
        return { rejected, faults: [{ where: files.settingsFile, field: '', detail: why }] };
      }
      const cause = findCause(reports, end, left, graph);
      if (cause !== undefined) {
        reject(cause, [faultOf(cause, reports, end, graph, loadMs)]);
        continue;
      }
      // Any of them may have ended the process: each is loaded alone.
      for (const entry of left) {
        if (performance.now() > endsMs) break;
        const alone = await attempt([entry], false);
        if (!alone.isSettled) reject(entry, [faultOf(entry, alone.reports, alone.end, graph, loadMs)]);
      }
      // They end the process only together.
      if (left.every((entry) => !rejected.has(entry)))
        for (const entry of left) reject(entry, [{ ...placeOfStart(entry), field: '', detail: why }]);
    }
  };
}

/** Returns the module that ended the process; undefined if it may be any of several. */
function findCause(
  reports: readonly TrialReport[],
  end: TrialEnd,
  group: readonly string[],
  graph: ModuleGraph,
): string | undefined {
  if (group.length === 1) return group[0];
  if (reports.some((report) => report.isLoaded)) return onlyImporter(placeInStack(end.stderr), group, graph);
  return reports.findLast(({ entry, faults }) => entry !== undefined && faults === undefined)?.entry ?? group[0];
}

function faultOf(
  entry: string,
  reports: readonly TrialReport[],
  end: TrialEnd,
  graph: ModuleGraph,
  loadMs: number,
): ModuleFault {
  const isStalled = reports.some((report) => report.isStalled);
  const guess = isStalled || end.how === 'late' ? placeOfAwait : placeOfStart;
  const place = placeInStack(end.stderr) ?? guess(entry, graph);
  return { ...place, field: '', detail: isStalled ? stalledDetail : detailOf(end, loadMs) };
}

/** No trial process is started after this time. */
const totalMs = 30_000;

const unstartedDetail = (startMs: number) =>
  `The process that checks services did not start within ${startMs / 1000} s: the machine is too busy. Try again.`;
const stalledDetail = 'It does not load: a top-level await never ends. Await it in handle.';
const untriedDetail = 'It was not loaded because other files took too long. Fix those first.';

function detailOf({ how, code, stderr, heapMebibytes }: TrialEnd, loadMs: number): string {
  if (/heap out of memory|heap limit/.test(stderr))
    return `It needs more than ${heapMebibytes} MiB of memory to load. Load less, or increase --max-old-space-size.`;
  if (how === 'late')
    return `It does not finish loading within ${loadMs / 1000} s. Move long work and loops into handle.`;
  if (how === 'failed')
    return `The process that checks it could not be started (${code}). Allow the server to start processes.`;
  return `It ends the process that loads it (${code}). Remove the code that does.`;
}

/** Returns the entry that imports the module of this place; undefined if several do. */
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

/** Returns the first await outside of functions, judging by indentation. */
function placeOfAwait(entry: string, graph: ModuleGraph): ModulePlace {
  for (const { path, text } of reachedBy([entry], graph)) {
    const found = /^(?:[^\s/*].*\W)?await\b/m.exec(text);
    if (found === null) continue;
    const before = text.slice(0, found.index + found[0].length - 'await'.length).split('\n');
    return { path, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
  return placeOfStart(entry);
}
