import { readFileSync } from 'node:fs';

/**
 * Loaded into a server by `--import`: steps its wall clock by the milliseconds in the file TRIAL_CLOCK_FILE. Monotonic
 * clocks (`performance.now`, timers) do not change.
 */
const everyMs = 20;
const RealDate = Date;
const { TRIAL_CLOCK_FILE: file = '' } = process.env;
let shiftMs = readShift();

function readShift(): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

setInterval(() => {
  shiftMs = readShift();
}, everyMs).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shiftMs] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + shiftMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, receiver),
});
