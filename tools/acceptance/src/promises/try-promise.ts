import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type KeptPromise, trialMinutesMax } from './define-promise.ts';
import type { Outcome, RunOptions } from './run-promise.ts';
import { unmountSmallDisks } from './small-disk.ts';

/** What the process of a trial tells. */
export type TrialMessage = { readonly said: string } | { readonly outcome: Outcome };

const ownProgram = fileURLToPath(new URL('./trial.ts', import.meta.url));
/** It ends what it has started within this, or is ended with all of that. */
const endingMs = 60_000;

export interface TryOptions extends RunOptions {
  /** What is run in its process. */
  readonly program?: string;
  /** How long that may take before all of it is ended by force. */
  readonly msMax?: number;
}

/**
 * Makes the trial of a promise in a process of its own: what breaks there breaks nothing else, and what keeps it busy
 * delays nobody's answers. Whatever becomes of the process, there is an outcome, and nothing of it is left.
 */
export function tryPromise(promise: KeptPromise, options: TryOptions): Promise<Outcome> {
  const {
    scale,
    seed,
    say,
    program = ownProgram,
    msMax = trialMinutesMax[options.scale] * 60_000 + endingMs,
  } = options;
  const startedMs = performance.now();
  const { number, title: name, target } = promise;
  const { promise: tried, resolve } = Promise.withResolvers<Outcome>();
  const child = fork(program, [String(number), scale, String(seed)], {
    execArgv: ['--conditions=source'],
    // At the head of a group, which ends as a whole.
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
    if ('said' in message) return say(message.said);
    outcome = message.outcome;
    // It has nothing left to do.
    clearTimeout(deadline);
    deadline = setTimeout(endByForce, endingMs);
  });
  const settle = (code: number | null, signal?: NodeJS.Signals | null) => {
    clearTimeout(deadline);
    if (outcome === undefined) endByForce();
    const tookSeconds = Math.round((performance.now() - startedMs) / 1_000);
    const note = `The trial broke off with ${signal ?? code}. ${firstError(errors)}`.trim();
    resolve(
      outcome ?? {
        number,
        name,
        target,
        figure: '',
        state: 'short',
        isLateOnly: false,
        figures: [],
        note,
        tookSeconds,
      },
    );
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
      // Nobody is left of them.
    }
    unmountSmallDisks(pid);
  }
}

/** What was thrown, without where. */
function firstError(text: string): string {
  return /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '';
}
