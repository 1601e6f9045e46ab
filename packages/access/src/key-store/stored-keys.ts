import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { Gauge, type Registry } from 'prom-client';
import type { KeyRecord, SharedKeys } from '../keys/index.ts';
import { firstCursor, type KeyCursor, type KeyPage, type KeyReader, type KeyStoreHead } from './key-store.ts';
import { KeyTable } from './key-table.ts';

export interface StoredKeysOptions {
  readonly reader: KeyReader;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Resolves after a time, at once when the signal aborts. Never keeps the process alive. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns how old the last known keys may be. */
  readonly staleMsMax: () => number;
  /** Called after keys have changed, and when keys that could not be checked can be checked again. */
  readonly onChange: () => void;
  /** Called with the number of invalid keys when there are more. */
  readonly onInvalid: (count: number) => void;
  /** Called when the store cannot be read, and again when it can. */
  readonly onOutage: (error?: unknown) => void;
}

/** The keys of a store, as one process knows them. */
export interface StoredKeys extends SharedKeys {
  /** Resolves when the keys have been read, or the first attempt has failed. */
  opened(): Promise<void>;
  status(): DependencyStatus;
  close(): Promise<void>;
}

/** Keys, up to a place in the order of changes. */
interface ReadKeys {
  readonly table: KeyTable;
  cursor: KeyCursor;
  invalidCount: number;
}

const pollMs = 500;
/** The most records for which a request creates none. */
const recentMax = 10_000;

/** Follows the keys of a store: reads the changed ones when the revision has changed, which it asks for twice a second. */
export function createStoredKeys(options: StoredKeysOptions): StoredKeys {
  const { reader, clock, wait, staleMsMax, onChange, onInvalid, onOutage } = options;
  const closing = new AbortController();
  const opened = Promise.withResolvers<void>();
  const recent = new Map<string, KeyRecord>();
  let table = new KeyTable();
  let cursor: KeyCursor = firstCursor;
  let invalidCount = 0;
  /** When the store was last known to have no other keys. */
  let syncedMs = -Infinity;
  let failure: unknown;

  /** Adds the keys that changed after the cursor of a read. */
  async function readPages(read: ReadKeys): Promise<ReadKeys> {
    const found = { ...read };
    let next: Promise<KeyPage> | undefined = reader.changesAfter(found.cursor);
    while (next !== undefined) {
      const page: KeyPage = await next;
      // The store works while this thread puts the page into the table.
      next = page.isLast ? undefined : reader.changesAfter(page.next);
      for (const key of page.keys) found.table.put(key);
      // Before the next page, so that a revoked key is rejected at once.
      recent.clear();
      found.invalidCount += page.invalidCount;
      found.cursor = page.next;
    }
    return found;
  }

  async function readAll({ revision }: KeyStoreHead): Promise<ReadKeys> {
    const read = await readPages({ table: new KeyTable(), cursor: firstCursor, invalidCount: 0 });
    // With a later cursor, a revision that someone has set back would have all keys read again and again.
    return read.cursor.revision > revision ? { ...read, cursor: { ...firstCursor, revision } } : read;
  }

  /** Returns whether keys have changed. */
  async function poll(): Promise<boolean> {
    const startedMs = clock();
    const head = await reader.head();
    // An older copy of the store: what it does not contain is not valid. While the store was away, a copy may have been
    // restored and changed.
    const mayBeCopy = failure !== undefined && head.revision !== cursor.revision;
    const isWhole = syncedMs === -Infinity || head.revision < cursor.revision || mayBeCopy;
    const hasChanged = isWhole || head.revision > cursor.revision;
    if (hasChanged) {
      let read = isWhole ? await readAll(head) : await readPages({ table, cursor, invalidCount });
      // The table still has the former record of a key that has become invalid.
      if (!isWhole && read.invalidCount > invalidCount) read = await readAll(head);
      if (read.invalidCount > invalidCount) onInvalid(read.invalidCount);
      ({ table, cursor, invalidCount } = read);
      recent.clear();
    }
    syncedMs = startedMs - head.ageMs;
    return hasChanged;
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const couldCheck = failure === undefined && canCheck();
        const hasChanged = await poll();
        if (failure !== undefined) onOutage();
        failure = undefined;
        if (hasChanged || (!couldCheck && canCheck())) onChange();
      } catch (error) {
        // An outage is reported once.
        if (failure === undefined) onOutage(error);
        failure = error;
      }
      opened.resolve();
      await wait(pollMs, closing.signal);
    }
  }

  const ageMs = () => clock() - syncedMs;
  // Before the first reading, the settings that `staleMsMax` reads may not exist yet.
  const canCheck = () => syncedMs !== -Infinity && ageMs() <= staleMsMax();

  function known(digest: string): KeyRecord | undefined {
    const found = recent.get(digest) ?? table.find(digest);
    if (found === undefined || recent.has(digest)) return found;
    if (recent.size >= recentMax) recent.clear();
    recent.set(digest, found);
    return found;
  }

  const following = follow();
  return {
    find(digest, local) {
      const record = known(digest);
      if (record !== undefined) {
        if (record.revokedAtMs === undefined && !canCheck()) throw unavailable();
        return record;
      }
      // A key that was created since may be valid.
      if (local === undefined && (failure !== undefined || !canCheck())) throw unavailable();
      return local;
    },
    opened: () => opened.promise,
    status() {
      const age = ageMs();
      const isUsable = age <= staleMsMax();
      const facts = {
        keys: table.size,
        ...(invalidCount === 0 ? {} : { invalid: invalidCount }),
        age_seconds: age === Infinity ? null : Math.round(age / 1000),
      };
      if (failure === undefined && isUsable) {
        if (invalidCount === 0) return { status: 'ready', ...facts };
        return { status: 'degraded', reason: 'Some stored keys are invalid and are not accepted.', ...facts };
      }
      const effect = isUsable ? 'The last known keys are used.' : 'Its keys are rejected with 503.';
      const reason = failure instanceof Error ? failure.message : 'The key store does not respond.';
      return { status: 'degraded', reason: `${reason} ${effect}`, ...facts };
    },
    async close() {
      closing.abort();
      await reader.close();
      await following;
    },
  };
}

function unavailable(): Problem {
  return new Problem('unavailable', 'Keys cannot be checked now. Retry in 1 s.', { headers: { 'Retry-After': '1' } });
}

/** Registers the metrics of stored keys. */
export function createKeyStoreMetrics(registry: Registry, status: () => DependencyStatus): void {
  const gauge = (name: string, help: string, aggregator: 'min' | 'max', read: (status: DependencyStatus) => number) =>
    new Gauge({
      ...{ name, help, aggregator, registers: [registry] },
      collect() {
        this.set(read(status()));
      },
    });
  gauge('key_store_up', '1 while the keys of the key store are current, 0 while it cannot be read.', 'min', (now) =>
    now.status === 'ready' ? 1 : 0,
  );
  gauge('key_store_keys', 'Keys of the key store, expired and revoked ones included.', 'max', ({ keys }) =>
    Number(keys),
  );
  const invalidHelp = 'Keys of the key store that are invalid and not accepted.';
  gauge('key_store_invalid_keys', invalidHelp, 'max', ({ invalid = 0 }) => Number(invalid));
  gauge('key_store_age_seconds', 'Age of the known keys of the key store.', 'max', ({ age_seconds }) =>
    Number(age_seconds ?? Number.NaN),
  );
}
