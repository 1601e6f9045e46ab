import { setTimeout as wait } from 'node:timers/promises';
import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import type { KeyReader } from './key-store.ts';
import { rejectOtherStore } from './reject-other-store.ts';
import { createKeyStoreMetrics, createStoredKeys, type StoredKeys } from './stored-keys.ts';

/** Begins to follow the keys of a key store. */
export type FollowKeys = (options: {
  readonly telemetry: Pick<Telemetry, 'log' | 'registry'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly staleMsMax: () => number;
  /** Called after keys have changed, and when keys that could not be checked can be checked again. */
  readonly onChange: () => void;
}) => StoredKeys;

/** Returns what follows the keys of a store, with its metrics and log lines. */
export function createFollowKeys(reader: KeyReader): FollowKeys {
  return ({ telemetry: { log, registry }, ...options }) => {
    const storedKeys = createStoredKeys({
      ...options,
      reader: rejectOtherStore(reader),
      wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }).catch(() => {}),
      onInvalid: (invalid) => log.error({ invalid }, 'stored keys are invalid and not accepted'),
      onOutage(error) {
        if (error === undefined) log.info('the key store is read again');
        else log.warn({ err: describeCause(error) }, 'the key store cannot be read');
      },
    });
    createKeyStoreMetrics(registry, storedKeys.status);
    return storedKeys;
  };
}
