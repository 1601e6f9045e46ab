import type { Telemetry } from '@rostergate/runtime/telemetry';
import { Counter } from 'prom-client';
import type { Caller, StaffCall } from '../staff-call.ts';
import type { AnswerVerdict } from './check-response.ts';

/** Counts what was held against the contract, and logs what broke it: where, never what stood there. */
export type ReportAnswer = (call: StaffCall, caller: Caller, status: number, verdict: AnswerVerdict) => void;

export function createAnswerReport({ registry, log }: Pick<Telemetry, 'registry' | 'log'>): ReportAnswer {
  const checked = new Counter({
    name: 'upstream_answers_checked_total',
    help: 'Answers of the upstream that were held against the contract, by operation and whether they were sound or broken; unchecked: too large.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  });
  return ({ operation: { operationId: operation } }, { requestId }, status, { outcome, places }) => {
    checked.inc({ operation, outcome });
    if (outcome !== 'broken') return;
    const described = places.map(({ pointer, detail }) => `${pointer === '' ? 'the body' : pointer} ${detail}`);
    log.warn({ request_id: requestId, operation, status, places: described }, 'the upstream broke the contract');
  };
}
