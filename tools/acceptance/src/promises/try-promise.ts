import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type PromiseTrial, trialMinutesMax } from './define-promise.ts';
import type { Outcome, RunOptions } from './run-promise.ts';
import { unmountSmallDisks } from './small-disk.ts';

/** What the process of a trial reports. */
export type TrialMessage = { readonly progress: string } | { readonly outcome: Outcome };

const trialProgram = fileURLToPath(new URL('./trial.ts', import.meta.url));
/** How long a trial may take for its cleanups before its process group is killed. */
const endingMs = 60_000;

export interface TryOptions extends RunOptions {
  /** The program of the process. */
  readonly program?: string;
  /** When the process group is killed. */
  readonly msMax?: number;
}

/**
 * Runs the trial of a promise in its own process, so that a crash or a busy thread affects no other trial. Returns an
 * outcome however the process ends, and leaves no process of it behind.
 */
export function tryPromise(promise: PromiseTrial, options: TryOptions): Promise<Outcome> {
  const {
    scale,
    seed,
    say,
    program = trialProgram,
    msMax = trialMinutesMax[options.scale] * 60_000 + endingMs,
  } = options;
  const startedMs = performance.now();
  const { number, title: name, target } = promise;
  const { promise: tried, resolve } = Promise.withResolvers<Outcome>();
  const child = fork(program, [String(number), scale, String(seed)], {
    execArgv: ['--conditions=source'],
    // Leads a process group that can be killed as a whole.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let outcome: Outcome | undefined;
  let errors = '';
  let deadline = setTimeout(endByForce, msMax);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-8_192);
  });
  child.on('message', (message: TrialMessage) => {
    if ('progress' in message) return say(message.progress);
    outcome = message.outcome;
    clearTimeout(deadline);
    deadline = setTimeout(endByForce, endingMs);
  });
  const settle = (code: number | null, signal?: NodeJS.Signals | null) => {
    clearTimeout(deadline);
    if (outcome === undefined) endByForce();
    const tookSeconds = Math.round((performance.now() - startedMs) / 1_000);
    const note = `The trial ended with ${signal ?? code}. ${firstError(errors)}`.trim();
    const failed = { figure: '', state: 'fail', isLateOnly: false, figures: [], note, tookSeconds } as const;
    resolve(outcome ?? { number, name, target, ...failed });
  };
  child.once('close', settle);
  child.once('error', (error) => {
    errors += error.message;
    settle(child.exitCode);
  });
  return tried;

  function endByForce(): void {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    unmountSmallDisks(pid);
  }
}

/** Returns the error message without its stack. */
function firstError(text: string): string {
  return /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '';
}
