import { setTimeout as wait } from 'node:timers/promises';
import type { Deliverer } from './deliverer.ts';

/** How often the webhooks are looked at. */
const pollMs = 5_000;
/** How long the statements after an attempt may take when the server stops. A lost lease ends by itself. */
const recordMs = 1_000;
/** How long after a write, at most, they are looked at again. */
const hurryMs = 250;

export interface RunningDeliverer {
  /** Looks soon, if the company has webhooks. */
  hurry(companyKey: string): void;
  /** Ends it: attempts in progress get the given time. */
  stop(drainMs: number): Promise<void>;
}

/** Looks at the webhooks at intervals, and sooner after a write of this process. */
export function startDeliverer(deliverer: Deliverer, onError: (error: unknown) => void): RunningDeliverer {
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isDueSoon = false;
  let isStopped = false;

  function plan(ms: number): void {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(look, ms);
  }

  function look(): void {
    isDueSoon = false;
    looking = deliverer
      .look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        plan(isDueSoon || deliverer.hasWaiting() ? hurryMs : pollMs);
      });
  }

  look();
  return {
    hurry(companyKey) {
      if (isDueSoon || !deliverer.serves(companyKey)) return;
      isDueSoon = true;
      if (looking === undefined) plan(hurryMs);
    },
    async stop(drainMs) {
      isStopped = true;
      clearTimeout(timer);
      const drained = new AbortController();
      const cut = new AbortController();
      const pause = (ms: number) => wait(ms, undefined, { signal: drained.signal }).catch(() => undefined);
      const ended = Promise.all([deliverer.stop(cut.signal), looking]);
      const late = pause(drainMs).then(() => {
        cut.abort();
        return pause(recordMs);
      });
      await Promise.race([ended, late]);
      drained.abort();
    },
  };
}
