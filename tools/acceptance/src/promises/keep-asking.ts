// Its own package puts a gateway under the same load, and tools may look into any room.
import { type Callers, type CallersOptions, runCallers } from '../../../../apps/gateway/test/running/run-callers.ts';
import type { AtEnd } from '../at-end.ts';
import { askOnce } from './ask-once.ts';

/** Callers that never pause, until the end. */
export function keepAsking(options: Omit<CallersOptions, 'ask'>, atEnd: AtEnd): Callers {
  const asking = runCallers({
    ...options,
    async ask(url, agent) {
      const { status, fault } = await askOnce(url, { agent });
      return status === 200 ? undefined : (fault ?? String(status));
    },
  });
  atEnd(asking.end);
  return asking;
}
