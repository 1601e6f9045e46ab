import { ConfigError } from '@rostergate/config';
import {
  addKey,
  createKey,
  KeyEditError,
  type RandomBytes,
  type RawKeyEntry,
  type RawKeysFile,
  revokeKey,
  rotateKey,
  setPlan,
  setScopes,
} from '../keys/index.ts';
import type { AuditEntry, KeyEdit, KeyStore } from './key-store.ts';

/** The keys of a server as its operators change them. Every method rejects with a KeyEditError for a forbidden change. */
export interface KeyAdministration {
  /** Where the keys are, in messages: `keys.json`. */
  readonly place: string;
  list(): Promise<readonly RawKeyEntry[]>;
  create(wanted: WantedKey): Promise<MadeKey>;
  rotate(name: string, options: RotationOptions): Promise<RotatedKey>;
  /** Returns the entry. A revoked key keeps its time, and `isRevokedNow` is false. */
  revoke(name: string): Promise<{ readonly entry: RawKeyEntry; readonly isRevokedNow: boolean }>;
  change(name: string, change: KeyChange): Promise<RawKeyEntry>;
  /** Returns the newest changes, latest first; undefined when none are recorded. */
  audit(limit: number): Promise<readonly AuditEntry[] | undefined>;
  close(): Promise<void>;
}

export interface WantedKey {
  /** The time of its creation, to which the expiry relates. */
  readonly nowMs: number;
  readonly name: string;
  readonly owner: string;
  readonly prefix: string;
  readonly expiresAt: string | null;
  /** What the key may do. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RotationOptions {
  readonly nowMs: number;
  readonly overlapMs: number;
  /** By default, the new key has the lifetime of the old one. */
  readonly expiresAt?: string | undefined;
  /** By default that of the old key. */
  readonly prefix?: string | undefined;
}

export interface KeyChange {
  readonly plan?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** A new key, which is not stored. */
export interface MadeKey {
  readonly key: string;
  readonly entry: RawKeyEntry;
}

export interface RotatedKey extends MadeKey {
  readonly oldExpiresAt: string;
}

export interface KeyAdministrationOptions {
  readonly store: KeyStore;
  /** Who makes the changes. */
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: RandomBytes;
  /** The prefix of successors of keys that have none. */
  readonly keyPrefix: string;
}

/** Returns the keys of a store, with an actor for the audit trail. */
export function createKeyAdministration(options: KeyAdministrationOptions): KeyAdministration {
  const { store, actor, clock, random, keyPrefix } = options;

  /** Edits the keys, and returns the result of the edit, which may run again. */
  async function edit<R>(
    about: Omit<KeyEdit, 'actor'>,
    run: (file: RawKeysFile) => { readonly file: RawKeysFile; readonly result: R },
  ): Promise<R> {
    let edited: { readonly result: R } | undefined;
    try {
      await store.edit({ ...about, actor }, (file) => {
        const done = run(file);
        edited = done;
        return done.file;
      });
    } catch (error) {
      // The keys were valid before, so the new values cause the faults. Their places in the unwritten text are meaningless.
      if (!(error instanceof ConfigError) || edited === undefined) throw error;
      const details = error.faults.map(({ field, detail }) => `${field.replace(/^keys\[\d+\]\./, '')}: ${detail}`);
      throw new KeyEditError(details.join(' '), 'invalid', { cause: error });
    }
    return (edited as unknown as { readonly result: R }).result;
  }

  return {
    place: store.place,
    list: async () => (await store.list()).keys,
    create({ nowMs, name, owner, prefix, expiresAt, fields }) {
      const { key, ...minted } = mintKey(prefix, random);
      const times = { created_at: new Date(nowMs).toISOString(), expires_at: expiresAt, revoked_at: null };
      const entry = { name, owner, ...minted, ...fields, ...times };
      return edit({ action: 'create', name, owner }, (file) => ({ file: addKey(file, entry), result: { key, entry } }));
    },
    rotate(name, { nowMs, overlapMs, expiresAt, prefix }) {
      return edit({ action: 'rotate', name }, (file) => {
        const old = file.keys.find((key) => key.name === name);
        const { key, ...minted } = mintKey(prefix ?? prefixOf(old) ?? keyPrefix, random);
        const successor = {
          ...minted,
          created_at: new Date(nowMs).toISOString(),
          expires_at: expiresAt ?? expiryByLifetimeOf(old, nowMs),
        };
        const rotated = rotateKey(file, { name, nowMs, overlapMs, successor });
        const oldExpiresAt = String(entryOf(rotated.file, name).expires_at);
        return { file: rotated.file, result: { key, entry: rotated.entry, oldExpiresAt } };
      });
    },
    revoke: (name) =>
      edit({ action: 'revoke', name }, (file) => {
        const edited = revokeKey(file, name, clock());
        return { file: edited, result: { entry: entryOf(edited, name), isRevokedNow: edited !== file } };
      }),
    change(name, { plan, scopes }) {
      const action = plan === undefined ? 'scopes' : scopes === undefined ? 'plan' : 'update';
      return edit({ action, name }, (file) => {
        const scoped = scopes === undefined ? file : setScopes(file, name, scopes);
        const edited = plan === undefined ? scoped : setPlan(scoped, name, plan);
        return { file: edited, result: entryOf(edited, name) };
      });
    },
    audit: (limit) => store.audit(limit),
    close: () => store.close(),
  };
}

/** Returns a new key with the derived fields of its entry. */
export function mintKey(prefix: string, random: RandomBytes) {
  const { key, sha256 } = createKey(prefix, random);
  return { key, prefix: key.slice(0, `${prefix}_live_`.length + 3), sha256 };
}

function entryOf(file: RawKeysFile, name: string): RawKeyEntry {
  return file.keys.find((key) => key.name === name) ?? { name };
}

function prefixOf(old: RawKeyEntry | undefined): string | undefined {
  return /^([a-z][a-z0-9]{1,15})_live_/.exec(String(old?.prefix ?? ''))?.[1];
}

function expiryByLifetimeOf(old: RawKeyEntry | undefined, nowMs: number): string | null {
  const lifeMs = Date.parse(String(old?.expires_at ?? '')) - Date.parse(String(old?.created_at ?? ''));
  return lifeMs > 0 ? new Date(nowMs + lifeMs).toISOString() : null;
}
