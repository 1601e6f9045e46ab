import { readFileSync, writeSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { ConfigFault } from '@rostergate/config';
import type { ModuleFault } from './import-error.ts';
import type { TrialJob, TrialReport } from './trial-run.ts';

// Checks an edit in a separate process, where a loop, an exit or a crash of its code does no harm, and reports what
// happens. Reports are written synchronously, so that none is lost when the process dies.

/** The file descriptor of the pipe that the parent reads. */
const reportPipe = 3;
/** How often a running check is reported. */
const checkingMs = 500;

// If the parent is killed, only another thread can end an endless loop.
new Worker(
  `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, 1_000);`,
  { eval: true },
).unref();

const { settleMs, folder, entries, modules, edit } = deserialize(readFileSync(0)) as TrialJob;
const [{ importModule, reachedBy }, { currentService }, { checkSyntax, describeImportError }, { isService }] =
  await Promise.all([
    import('./service-modules.ts'),
    import('./service-origin.ts'),
    import('./import-error.ts'),
    import('@rostergate/endpoints'),
    // Every service imports it; its load time must not count for the first service.
    import('../index.ts'),
  ]);
const graph = new Map(modules.map((file) => [file.path, file]));
const exit = process.exit.bind(process);
let entry = entries[0] as string;
let state: 'loading' | 'checking' | 'settling' = 'loading';

function report(line: TrialReport): void {
  writeSync(reportPipe, `${JSON.stringify(line)}\n`);
}

const rejected = new Map<string, readonly ModuleFault[]>(edit?.rejected);

/** Reports the first fault of each entry; a timer may throw thousands. */
function reject(error: unknown): void {
  // Once all are loaded, any of them may be the cause.
  const failed = currentService() ?? (state === 'loading' || entries.length === 1 ? entry : undefined);
  if (failed === undefined) exit(1);
  if (failed === undefined || rejected.has(failed)) return;
  const faults = describeImportError(error, failed, graph);
  rejected.set(failed, faults);
  report({ entry: failed, faults });
}

for (const name of ['exit', 'abort', 'kill', 'chdir', 'removeAllListeners'] as const) {
  Object.defineProperty(process, name, {
    value() {
      const error = new Error(`It calls process.${name}(), which would affect the whole server. Remove the call.`);
      reject(error);
      throw error;
    },
  });
}
process.on('uncaughtException', reject);
process.on('unhandledRejection', reject);

process.on('beforeExit', () => {
  if (state === 'loading') report({ entry, isStalled: true });
  if (state === 'settling') report({ isSettled: true });
  exit(0);
});

for (entry of entries) {
  report({ entry });
  try {
    const exported = Object.values(await importModule(entry, graph, folder));
    // A getter may throw on first access.
    exported.some(isService);
    // Lazy imports have not run, but their text is accepted, too.
    for (const file of reachedBy([entry], graph)) checkSyntax(file);
  } catch (error) {
    reject(error);
  }
}
state = 'checking';
report({ isLoaded: true });
if (edit !== undefined) report({ checked: await check(edit) });
state = 'settling';
// Waits for errors of timers and the like that the modules have started; without any, the process exits at once.
setTimeout(() => {
  report({ isSettled: true });
  exit(0);
}, settleMs).unref();

/** Returns the faults of all files, including those of the modules. */
async function check(edit: NonNullable<TrialJob['edit']>): Promise<readonly ConfigFault[]> {
  const { states, there, version, isToServe, ...files } = edit;
  const beat = setInterval(() => report({ isChecking: true }), checkingMs);
  try {
    const [{ readSources }, { checkGeneration, createIdleServices }, { createStatesReader }, { ConfigError }] =
      await Promise.all([
        import('./read-sources.ts'),
        import('../check-generation.ts'),
        import('@rostergate/config/reload'),
        import('@rostergate/config'),
      ]);
    const known = new Set(there);
    const read = await readSources({
      ...files,
      rejected,
      reader: createStatesReader(states),
      wasRead: (path) => known.has(path),
      createServices: createIdleServices({ env: files.env, isToServe }),
    });
    if ('faults' in read) return read.faults;
    try {
      checkGeneration(read.configuration, version, files.settingsFile).close({ ignoresHeld: true });
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  } finally {
    clearInterval(beat);
  }
}
