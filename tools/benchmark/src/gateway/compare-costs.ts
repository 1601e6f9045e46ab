import type { Say } from '../compare-servers.ts';
import { type CountedLoad, cpuPerRequest } from '../cost-per-request.ts';

const rounds = 7;
const requests = 4_000;

/** A load, and its name for people. */
export interface NamedLoad extends CountedLoad {
  readonly name: string;
}

/** Returns the CPU per request of a load, to that of another one, round by round. Each round has another caller. */
export async function compareCosts(
  say: Say,
  callers: readonly Readonly<Record<string, string>>[],
  [first, second]: readonly [NamedLoad, NamedLoad],
): Promise<number[]> {
  let turn = 0;
  const measure = (load: NamedLoad) =>
    cpuPerRequest({ ...load, headers: { ...load.headers, ...callers[turn++ % callers.length] } }, requests);
  for (const load of [first, second]) await measure(load);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [firstUs, secondUs] = [await measure(first), await measure(second)];
    ratios.push(firstUs / secondUs);
    say(`${firstUs.toFixed(0)} µs ${first.name}, ${secondUs.toFixed(0)} µs ${second.name}`);
  }
  return ratios;
}
