import type { Fault } from './problem.ts';

/** A response lists at most this many faults; code that finds them stops walking when the list is full. */
export const faultsMax = 20;

/** Of a problem document of 16 KiB, for its detail and its faults. */
const textBytesMax = 13 * 1024;
const textMax = 500;

/** Returns the first faults, with long texts shortened, so that a problem document never exceeds 16 KiB. */
export function boundFaults(faults: readonly Fault[], detail: string): readonly Fault[] {
  const bounded: Fault[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(detail));
  for (let i = 0; i < faults.length && i < faultsMax; i++) {
    const fault = shorten(faults[i] as Fault);
    bytes += Buffer.byteLength(JSON.stringify(fault)) + 1;
    if (bytes > textBytesMax) break;
    bounded.push(fault);
  }
  return bounded;
}

function shorten(fault: Fault): Fault {
  const entries = Object.entries(fault) as [string, unknown][];
  if (!entries.some(([, value]) => typeof value === 'string' && value.length > textMax)) return fault;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? shortenText(value, textMax) : value]),
  ) as unknown as Fault;
}

/** Returns the text, cut to a length and marked with an ellipsis where it is longer. */
export function shortenText(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;
}
