import type { Fault } from '@rostergate/runtime/problem';

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
