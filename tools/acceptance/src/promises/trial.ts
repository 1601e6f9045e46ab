import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptPromise, type Scale, trialMinutesMax } from './define-promise.ts';
import { runPromise } from './run-promise.ts';
import type { TrialMessage } from './try-promise.ts';

// The process of one trial: `trial.ts <number> <scale> <seed>`, which tells its parent how it goes.

const [number, scale, seed] = process.argv.slice(2) as [string, Scale, string];
const folder = join(import.meta.dirname, '../../promises');
// Its own file alone: all of them together take seconds to load.
const [file] = globSync(`{${number.padStart(2, '0')}-*,${number}}.ts`, { cwd: folder });
if (file === undefined) throw new Error(`There is no promise ${number}.`);
const { promise } = (await import(join(folder, file))) as { readonly promise: KeptPromise };

/** Of what nobody waits for too: then everything that was started still has to end. */
const { promise: broken, reject: breakOff } = Promise.withResolvers<never>();
process.on('uncaughtException', breakOff);
process.on('unhandledRejection', breakOff);
// Whoever ends the parent is told of it by this channel alone: at a terminal this is a group of its own.
process.once('disconnect', () => breakOff(new Error('Nobody waits for this trial any more.')));
const minutesMax = trialMinutesMax[scale];
setTimeout(() => breakOff(new Error(`It was not done in ${minutesMax} minutes.`)), minutesMax * 60_000);

const tell = (message: TrialMessage): Promise<void> =>
  new Promise((resolve) => (process.connected ? process.send?.(message, () => resolve()) : resolve()));
const outcome = await runPromise(
  { ...promise, run: (trial) => Promise.race([promise.run(trial), broken]) },
  { scale, seed: Number(seed), say: (said) => void tell({ said }) },
);
await tell({ outcome });
// Whatever is still open has had its end.
process.exit();
