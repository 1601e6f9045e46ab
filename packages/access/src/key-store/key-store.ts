import type { KeyRecord, RawKeyEntry, RawKeysFile } from '../keys/index.ts';

/** The keys of one kind of server. No other kind reads them, even in the same database. */
export interface KeyKind {
  /** Within the names of tables, and of keys in Redis. */
  readonly prefix: '' | 'proxy_';
  /** Fields of an entry that become the `attributes` of its record. */
  readonly attributes: readonly string[];
  /** Returns whether the attributes of a stored key are valid. */
  readonly accepts: (attributes: string) => boolean;
}

export const gatewayKeys: KeyKind = { prefix: '', attributes: [], accepts: () => true };

/** A place where keys are stored, as digests: a file, a database or Redis. */
export interface KeyStore {
  /** Where the keys are, in messages: `keys.json`. */
  readonly place: string;
  /** Returns all keys. */
  list(): Promise<RawKeysFile>;
  /** Returns the next keys by name. */
  page(place: PageOfKeys): Promise<readonly RawKeyEntry[]>;
  /** Returns the next owners by name, with the number of their keys. */
  owners(place: PageOfNames): Promise<readonly OwnerOfKeys[]>;
  /** Returns the key of a name. */
  find(name: string): Promise<RawKeyEntry | undefined>;
  /**
   * Applies an edit, one at a time over all writers. `edit` gets the keys that the edit concerns, and may run again.
   * Once this resolves, the edit is stored.
   * @throws ConfigError when the result is invalid, KeyStoreError, and what `edit` throws
   */
  edit(about: KeyEdit, edit: (file: RawKeysFile) => RawKeysFile): Promise<void>;
  /** Returns the newest edits, latest first; undefined when the store records none. */
  audit(limit: number): Promise<readonly AuditEntry[] | undefined>;
  close(): Promise<void>;
}

export interface PageOfNames {
  /** The last name of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

export interface PageOfKeys extends PageOfNames {
  /** Returns the keys of this owner only. */
  readonly owner?: string | undefined;
}

export interface OwnerOfKeys {
  readonly owner: string;
  readonly keys: number;
}

/** What an edit is about. */
export interface KeyEdit {
  readonly action: 'create' | 'revoke' | 'rotate' | 'plan' | 'scopes' | 'update';
  /** The key. */
  readonly name: string;
  /** The owner of a key that is created. */
  readonly owner?: string;
  /** Who makes the edit. */
  readonly actor: string;
}

/** One changed key of an edit. Contains no digest. */
export interface AuditEntry {
  /** Time of the edit in ISO 8601. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly name: string;
  readonly owner: string;
  /** The new values of the fields that changed. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** Follows the keys of a store that several machines share. */
export interface KeyReader {
  /** Returns the version of the keys. @throws KeyStoreError when they cannot be read, or there are none yet */
  head(): Promise<KeyStoreHead>;
  /** Returns the next keys that changed after a place, in the order of their changes. @throws KeyStoreError */
  changesAfter(cursor: KeyCursor): Promise<KeyPage>;
  close(): Promise<void>;
}

export interface KeyStoreHead {
  /** Identifies the store: an emptied one has another with its next key. */
  readonly epoch: string;
  /** Grows with each edit: microseconds since the epoch, so that it is never used twice after a lost write. */
  readonly revision: number;
  /** How long ago this was read. */
  readonly ageMs: number;
}

/** A place in the order of changes. */
export interface KeyCursor {
  readonly revision: number;
  readonly name: string;
}

export const firstCursor: KeyCursor = { revision: 0, name: '' };

export interface KeyPage {
  readonly keys: readonly KeyRecord[];
  /** Stored keys that are invalid, and therefore not accepted. */
  readonly invalidCount: number;
  readonly next: KeyCursor;
  readonly isLast: boolean;
}

/** The most keys of a page. */
export const pageKeys = 5_000;

/** A failure of the store itself. The message contains neither its address nor values. */
export class KeyStoreError extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'KeyStoreError';
  }
}

/** A key as a shared store holds it. */
export interface StoredKey {
  readonly entry: RawKeyEntry;
  /** The plan of its owner, which another key may name. */
  readonly plan: string | undefined;
}

export const emptyStore =
  'The key store has no keys yet. Create the first one with `keys create`, or check that the URL names the right store.';
