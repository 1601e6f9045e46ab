import type { ConfigFault } from '@rostergate/runtime/config';
import type { ModuleFault } from './import-error.ts';
import { type ModuleGraph, type ModulePlace, placeInStack, reachedBy } from './module-graph.ts';
import { type EditFiles, runTrial, type TrialEnd, type TrialReport } from './trial-run.ts';

/** An edit that brings new code of services. */
export interface Edit extends EditFiles {
  readonly folder: string;
  readonly entries: readonly string[];
  readonly graph: ModuleGraph;
}

export interface EditVerdict {
  /** Of every file, in the order in which they are read. */
  readonly faults: readonly ConfigFault[];
  /** The modules that do not load. Those rejected last are not among the faults. */
  readonly rejected: ReadonlyMap<string, readonly ModuleFault[]>;
}

/** Checks a whole edit where its code can do no harm. It is accepted when the verdict is empty. */
export type TryEdit = (edit: Edit) => Promise<EditVerdict>;

export interface EditTrialOptions {
  readonly version: string;
  /** Whether the variables of the environment that upstreams need have to be there. */
  readonly isToServe?: boolean;
  /** How long one module may take to load. */
  readonly loadMs?: number;
  /** How long what it has begun is watched for errors. */
  readonly settleMs?: number;
  readonly execArgv?: readonly string[];
}

/**
 * Checks edits in a process of their own: it loads the modules, reads the configuration and builds what would serve.
 * A module that ends or blocks the process is rejected, and the edit is checked again without it, so that the faults
 * of all files are found.
 */
export function createEditTrial(options: EditTrialOptions): TryEdit {
  const { version, isToServe = true, loadMs = 5_000, settleMs = 200, execArgv = process.execArgv } = options;
  return async ({ entries, graph, folder, ...files }) => {
    const rejected = new Map<string, readonly ModuleFault[]>();
    const reject = (entry: string, faults: readonly ModuleFault[]) => {
      if (!rejected.has(entry)) rejected.set(entry, faults);
    };
    const endsMs = performance.now() + totalMs;

    /** Tries these modules, and with them the edit or only them; returns what it reported when it ended well. */
    async function attempt(group: readonly string[], isWhole: boolean) {
      const edit = isWhole ? { ...files, version, isToServe, rejected } : undefined;
      const job = { settleMs, folder, entries: group, modules: reachedBy(group, graph), ...(edit && { edit }) };
      const { reports, end } = await runTrial(job, { loadMs, execArgv });
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
      const why = detailOf(end, loadMs);
      if (reports.length === 0 || left.length === 0) {
        for (const entry of left) reject(entry, [{ ...placeOfStart(entry), field: '', detail: why }]);
        return { rejected, faults: [{ where: files.settingsFile, field: '', detail: why }] };
      }
      const guilty = findGuilty(reports, end, left, graph);
      if (guilty !== undefined) {
        reject(guilty, [faultOf(guilty, reports, end, graph, loadMs)]);
        continue;
      }
      // Any of them may have ended it: each is tried alone.
      for (const entry of left) {
        if (performance.now() > endsMs) break;
        const alone = await attempt([entry], false);
        if (!alone.isSettled) reject(entry, [faultOf(entry, alone.reports, alone.end, graph, loadMs)]);
      }
      // None does alone what they do together.
      if (left.every((entry) => !rejected.has(entry)))
        for (const entry of left) reject(entry, [{ ...placeOfStart(entry), field: '', detail: why }]);
    }
  };
}

/** The module that ended the process; undefined when it may be any of several. */
function findGuilty(
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
  const usual = isStalled || end.how === 'late' ? placeOfAwait : placeOfStart;
  const place = placeInStack(end.stderr) ?? usual(entry, graph);
  return { ...place, field: '', detail: isStalled ? stalledDetail : detailOf(end, loadMs) };
}

/** After so long no further process is started. */
const totalMs = 30_000;

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
