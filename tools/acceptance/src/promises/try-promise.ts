import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { KeptPromise, Scale } from './define-promise.ts';
import type { Outcome } from './run-promise.ts';

/** What the process of a trial tells. */
export type TrialMessage = { readonly said: string } | { readonly outcome: Outcome };

const ownProgram = fileURLToPath(new URL('./trial.ts', import.meta.url));
const endingMs = 30_000;

export interface TryOptions {
  readonly scale: Scale;
  readonly say: (text: string) => void;
  /** What is run in its process. */
  readonly program?: string;
}

/**
 * Makes the trial of a promise in a process of its own: what breaks there breaks nothing else, and what keeps it busy
 * delays nobody's answers. Whatever becomes of the process, there is an outcome.
 */
export function tryPromise(promise: KeptPromise, { scale, say, program = ownProgram }: TryOptions): Promise<Outcome> {
  const startedMs = performance.now();
  const { number, title: name, target } = promise;
  const { promise: tried, resolve } = Promise.withResolvers<Outcome>();
  const child = fork(program, [String(number), scale], {
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let outcome: Outcome | undefined;
  let errors = '';
  let deadline: NodeJS.Timeout | undefined;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-8_192);
  });
  child.on('message', (message: TrialMessage) => {
    if ('said' in message) return say(message.said);
    outcome = message.outcome;
    // It has nothing left to do.
    deadline = setTimeout(() => child.kill('SIGKILL'), endingMs);
  });
  const settle = (code: number | null, signal?: NodeJS.Signals | null) => {
    clearTimeout(deadline);
    const tookSeconds = Math.round((performance.now() - startedMs) / 1_000);
    const note = `The trial broke off with ${signal ?? code}. ${firstError(errors)}`.trim();
    resolve(outcome ?? { number, name, target, figure: '', state: 'short', figures: [], note, tookSeconds });
  };
  child.once('close', settle);
  child.once('error', (error) => {
    errors += error.message;
    settle(child.exitCode);
  });
  return tried;
}

/** What was thrown, without where. */
function firstError(text: string): string {
  return /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '';
}
