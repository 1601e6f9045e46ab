import { canonicalDateTime } from '@rostergate/odata';
import { createValidationProblem, type Fault } from '@rostergate/server/problem';

type Members = Readonly<Record<string, unknown>>;

export interface DatedRequest {
  readonly sent: Members;
  /** The stored dates; undefined for a new entry. */
  readonly current: Members | undefined;
  /** The dates as they would be stored. */
  readonly outcome: Members;
}

/**
 * Adds a fault for a period that ends before it starts, at the property that was sent. A period that is already stored
 * in the wrong order may be sent back unchanged.
 */
export function checkDateOrder(
  { sent, current, outcome }: DatedRequest,
  [startName, endName]: readonly [string, string],
  faults: Fault[],
): void {
  const [start, end] = [outcome[startName], outcome[endName]];
  if (typeof start !== 'string' || typeof end !== 'string' || start <= end) return;
  if (current?.[startName] === start && current[endName] === end) return;
  if (sent[endName] === undefined) {
    const remedy = `send an earlier ${startName}, or also a later ${endName}`;
    faults.push({ pointer: `/${startName}`, detail: `is after the stored ${endName} ${end}: ${remedy}` });
    return;
  }
  const whose = sent[startName] === undefined ? 'the stored ' : '';
  const remedy = `send a later ${endName}, or also an earlier ${startName}`;
  faults.push({ pointer: `/${endName}`, detail: `is before ${whose}${startName} ${start}: ${remedy}` });
}

export function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw createValidationProblem(faults);
}

/**
 * Returns a date of a request as it is stored, or undefined with a fault: the contract's pattern accepts 31 February.
 */
export function readInstant(value: string, pointer: string, faults: Fault[]): string | undefined {
  const instant = canonicalDateTime(value);
  if (instant === undefined) faults.push({ pointer, detail: 'is not a date in the calendar' });
  return instant;
}

/**
 * Returns the names of the columns whose value would change. SQLite stores flags as 0 and 1, so they are compared as
 * booleans.
 */
export function differingNames(current: object, changes: object): string[] {
  const stored = current as Readonly<Record<string, unknown>>;
  return Object.entries(changes).flatMap(([name, value]) => (isSame(stored[name], value) ? [] : [name]));
}

const isSame = (a: unknown, b: unknown): boolean => (typeof b === 'boolean' ? Boolean(a) === b : a === b);
