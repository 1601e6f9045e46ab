import type { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { createFileWatcher } from './file-watcher.ts';
import type { ModuleReport } from './report-modules.ts';
import { createSourceReader, freshMs, type Source } from './source.ts';

export interface SuperviseOptions {
  /** The script that the process runs, with its arguments. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with the reason of each restart or wait. */
  readonly report: (text: string) => void;
  /** Where signals come from. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>;
  readonly execArgv?: readonly string[];
}

/**
 * Runs a process and restarts it when code that it has loaded changes. It stops by SIGTERM and may drain; after a
 * failure it restarts with the next edit. Signals are forwarded. Resolves with the exit code once a signal stops it.
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { script, args, env, report, signals = process, execArgv = process.execArgv } = options;
  // Loaded on demand: only a supervised server needs it.
  const { spawn } = await import('node:child_process');
  const reporter = new URL(
    import.meta.url.endsWith('.ts') ? './report-modules.ts' : './report-modules.js',
    import.meta.url,
  );
  const reader = createSourceReader();
  const known = new Map<string, Source>();
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  let child: ChildProcess | undefined;
  let isStopping = false;
  let isRestarting = false;

  const watcher = createFileWatcher({ onChange: restart });

  function restart(paths: readonly string[]): void {
    if (isStopping) return;
    report(`${paths.join(', ')} changed: restarting.`);
    isRestarting = true;
    void lookAgain().then(() => (child === undefined ? start() : child.kill('SIGTERM')));
  }

  async function lookAgain(): Promise<void> {
    const now = await Promise.all([...known.values()].map((source) => source.look()));
    for (const source of now) known.set(source.path, source);
    watcher.watch([...known.values()]);
  }

  async function watchModules({ modules }: ModuleReport): Promise<void> {
    const fresh = Object.keys(modules).filter((path) => !known.has(path));
    await Promise.all(fresh.map((path) => reader.read(path)));
    const before = known.size;
    for (const source of reader.sources()) if (!known.has(source.path)) known.set(source.path, source);
    if (known.size > before) watcher.watch([...known.values()]);
    // The watcher misses an edit between loading there and reading here. An extra restart does no harm.
    const missed = fresh.filter((path) => {
      const source = known.get(path);
      return source?.isThere && source.stamp.changedMs > (modules[path] as number) - freshMs;
    });
    if (missed.length > 0) restart(missed);
  }

  function start(): void {
    isRestarting = false;
    // A process group of its own: Ctrl-C reaches this process only, which forwards it once.
    child = spawn(process.execPath, [...execArgv, '--import', reporter.href, script, ...args], {
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => void watchModules(message as ModuleReport));
    child.once('error', () => end(1));
    child.once('exit', (code) => {
      child = undefined;
      if (isStopping || (code === 0 && !isRestarting)) end(code ?? 0);
      else if (isRestarting) start();
      else report('The server has ended. It restarts after the next edit of its code.');
    });
  }

  const onStop = (name: NodeJS.Signals) => {
    isStopping = true;
    if (child === undefined) end(0);
    else child.kill(name);
  };
  const onHangUp = () => void child?.kill('SIGHUP');
  for (const name of ['SIGTERM', 'SIGINT']) signals.on(name, onStop);
  signals.on('SIGHUP', onHangUp);
  // Keeps this process alive while no child runs.
  const alive = setInterval(() => undefined, 60_000);
  start();
  try {
    return await ended;
  } finally {
    watcher.close();
    clearInterval(alive);
    for (const name of ['SIGTERM', 'SIGINT']) signals.off(name, onStop);
    signals.off('SIGHUP', onHangUp);
  }
}
