import { canonicalDateTime } from '@rostergate/odata';
import { createValidationProblem, type Fault } from '@rostergate/runtime/problem';

type Members = Readonly<Record<string, unknown>>;

export interface DatedRequest {
  /** The members of the request. */
  readonly sent: Members;
  /** Dates as they are kept; undefined for what is new. */
  readonly current: Members | undefined;
  /** Dates as they would be kept. */
  readonly outcome: Members;
}

/**
 * Refuses a period that would end before it starts, at the member that was sent. What is stored out of order already
 * may stay or be sent back: it is no fault of this request.
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
    const remedy = `send an earlier ${startName}, or a later ${endName} along with it`;
    faults.push({ pointer: `/${startName}`, detail: `is after the stored ${endName} ${end}: ${remedy}` });
    return;
  }
  const whose = sent[startName] === undefined ? 'the stored ' : '';
  const remedy = `send a later ${endName}, or an earlier ${startName} along with it`;
  faults.push({ pointer: `/${endName}`, detail: `is before ${whose}${startName} ${start}: ${remedy}` });
}

export function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw createValidationProblem(faults);
}

/** A date of a request as it is kept, or undefined with a fault: the pattern lets 31 February pass. */
export function readInstant(value: string, pointer: string, faults: Fault[]): string | undefined {
  const instant = canonicalDateTime(value);
  if (instant === undefined) faults.push({ pointer, detail: 'is not a date in the calendar' });
  return instant;
}

/** Names of the columns that would get another value. Flags are compared as such: one database keeps 0 and 1. */
export function differingNames(current: object, changes: object): string[] {
  const kept = current as Readonly<Record<string, unknown>>;
  return Object.entries(changes).flatMap(([name, value]) => (isSame(kept[name], value) ? [] : [name]));
}

const isSame = (a: unknown, b: unknown): boolean => (typeof b === 'boolean' ? Boolean(a) === b : a === b);
