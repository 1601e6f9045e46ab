import type { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { createFileWatcher } from './file-watcher.ts';
import type { ModuleReport } from './report-modules.ts';
import { createSourceReader, freshMs, type Source } from './source-files.ts';

export interface SuperviseOptions {
  /** The script that the process runs, with its arguments. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told why the process is started again, or what is waited for. */
  readonly tell: (text: string) => void;
  /** Where signals come from. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>;
  readonly execArgv?: readonly string[];
}

/**
 * Runs a process and starts it again whenever code that it has loaded changes; it is asked to end by SIGTERM and has
 * its time to drain. One that fails is started again after the next edit. Signals are handed on, and one that stops
 * the process ends this too: resolves with its exit code.
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { script, args, env, tell, signals = process, execArgv = process.execArgv } = options;
  // A server that is not watched this way has no use for it.
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

  const watcher = createFileWatcher({ onChange: startAgain });

  function startAgain(paths: readonly string[]): void {
    if (isStopping) return;
    tell(`${paths.join(', ')} changed: starting again.`);
    isRestarting = true;
    void lookAgain().then(() => (child === undefined ? start() : child.kill('SIGTERM')));
  }

  async function lookAgain(): Promise<void> {
    const now = await Promise.all([...known.values()].map((source) => source.look()));
    for (const source of now) known.set(source.path, source);
    watcher.watch([...known.values()]);
  }

  async function take({ modules }: ModuleReport): Promise<void> {
    const fresh = Object.keys(modules).filter((path) => !known.has(path));
    await Promise.all(fresh.map((path) => reader.read(path)));
    const before = known.size;
    for (const source of reader.sources()) if (!known.has(source.path)) known.set(source.path, source);
    if (known.size > before) watcher.watch([...known.values()]);
    // Edited after it was loaded there and before it was read here, as far as the file system can tell the two apart:
    // nobody would notice any more. To start once too often does no harm.
    const missed = fresh.filter((path) => {
      const source = known.get(path);
      return source?.isThere && source.stamp.changedMs > (modules[path] as number) - freshMs;
    });
    if (missed.length > 0) startAgain(missed);
  }

  function start(): void {
    isRestarting = false;
    // A group of its own: the terminal's Ctrl-C comes here alone and is handed on once.
    child = spawn(process.execPath, [...execArgv, '--import', reporter.href, script, ...args], {
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => void take(message as ModuleReport));
    child.once('error', () => end(1));
    child.once('exit', (code) => {
      child = undefined;
      if (isStopping || (code === 0 && !isRestarting)) end(code ?? 0);
      else if (isRestarting) start();
      else tell('The server has ended; it is started again after the next edit of its code.');
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
  // While no child runs, nothing else keeps this process waiting for the next edit.
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
