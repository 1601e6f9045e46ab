import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type PromiseTrial, type Scale, trialMinutesMax } from './define-promise.ts';
import { runPromise } from './run-promise.ts';
import type { TrialMessage } from './try-promise.ts';

// The process of one trial: `trial.ts <number> <scale> <seed>` reports progress and the outcome to its parent.

const [number, scale, seed] = process.argv.slice(2) as [string, Scale, string];
const folder = join(import.meta.dirname, '../../promises');
// Loads one file, because all of them take seconds.
const [file] = globSync(`{${number.padStart(2, '0')}-*,${number}}.ts`, { cwd: folder });
if (file === undefined) throw new Error(`There is no promise ${number}.`);
const { promise } = (await import(join(folder, file))) as { readonly promise: PromiseTrial };

/** Rejects on errors that no code awaits, so that the cleanups still run. */
const { promise: aborted, reject: abort } = Promise.withResolvers<never>();
process.on('uncaughtException', abort);
process.on('unhandledRejection', abort);
// A terminal signals only the parent's process group; this one learns of the parent's end through the channel.
process.once('disconnect', () => abort(new Error('The process that started this trial has ended.')));
const minutesMax = trialMinutesMax[scale];
setTimeout(() => abort(new Error(`The trial took more than ${minutesMax} minutes.`)), minutesMax * 60_000);

const send = (message: TrialMessage): Promise<void> =>
  new Promise((resolve) => (process.connected ? process.send?.(message, () => resolve()) : resolve()));
const outcome = await runPromise(
  { ...promise, run: (trial) => Promise.race([promise.run(trial), aborted]) },
  { scale, seed: Number(seed), say: (progress) => void send({ progress }) },
);
await send({ outcome });
// Handles that are still open would keep the process alive.
process.exit();
