import { readFileSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { TrialJob, TrialReport } from './try-modules.ts';

// Loads modules of services in a process of its own, where a loop, an exit or a crash harms nobody, and reports what
// happens. Reports are written synchronously, so that none is lost when the process dies.

/** The pipe that the parent reads. */
const reportPipe = 3;

// An endless loop outlives a parent that was killed; only another thread can end it.
new Worker(
  `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, 1_000);`,
  { eval: true },
).unref();

const { settleMs, folder, entries, modules } = JSON.parse(readFileSync(0, 'utf8')) as TrialJob;
const [{ importModule }, { currentService }, { checkSyntax, describeImportError }, { reachedBy }, { isService }] =
  await Promise.all([
    import('./service-modules.ts'),
    import('./service-origin.ts'),
    import('./import-error.ts'),
    import('./module-graph.ts'),
    import('@rostergate/endpoints'),
    // Every service imports it, and its own load time is not that of the first.
    import('../index.ts'),
  ]);
const graph = new Map(modules.map((file) => [file.path, file]));
const exit = process.exit.bind(process);
let entry = entries[0] as string;
let isLoading = true;

function report(line: TrialReport): void {
  writeSync(reportPipe, `${JSON.stringify(line)}\n`);
}

const rejected = new Set<string>();

/** Reports the first fault of each entry; a timer may throw thousands. */
function reject(error: unknown): void {
  // Once all are loaded, it may be the fault of any of them.
  const guilty = currentService() ?? (isLoading || entries.length === 1 ? entry : undefined);
  if (guilty === undefined) exit(1);
  if (guilty === undefined || rejected.has(guilty)) return;
  rejected.add(guilty);
  report({ entry: guilty, faults: describeImportError(error, guilty, graph) });
}

for (const name of ['exit', 'abort', 'kill', 'chdir', 'removeAllListeners'] as const) {
  Object.defineProperty(process, name, {
    value() {
      const error = new Error(`It calls process.${name}(), which would change the whole server. Leave it out.`);
      reject(error);
      throw error;
    },
  });
}
process.on('uncaughtException', reject);
process.on('unhandledRejection', reject);

process.on('beforeExit', () => {
  if (isLoading) report({ entry, isStalled: true });
  else report({ isSettled: true });
  exit(0);
});

for (entry of entries) {
  report({ entry });
  try {
    const exported = Object.values(await importModule(entry, graph, folder));
    // A getter may throw when it is looked at for the first time.
    exported.some(isService);
    // Lazy imports have not run, and their text is accepted too.
    for (const file of reachedBy([entry], graph)) checkSyntax(file);
  } catch (error) {
    reject(error);
  }
}
isLoading = false;
report({ isLoaded: true });
// What the modules have begun, such as timers, gets a moment; without any, the process is done at once.
setTimeout(() => {
  report({ isSettled: true });
  exit(0);
}, settleMs).unref();
