import { type KeyRecord, keyDigest } from './keyring.ts';

/** Why a list of keys could not be read; names the entry by its position, never by its text. */
export class KeyEntriesError extends Error {
  /** Number of the entry, or of the line in a file; from 1. */
  readonly position: number | undefined;

  constructor(detail: string, position?: number) {
    super(detail);
    this.name = 'KeyEntriesError';
    this.position = position;
  }
}

/**
 * Records from a comma-separated list; an entry is a key or `sha256:<hex>`. Empty entries and repeats are passed over.
 * @throws KeyEntriesError
 */
export function parseKeyEntries(text: string): KeyRecord[] {
  return toRecords(
    text.split(',').map((entry, i) => ({ entry: entry.trim(), where: `Entry ${i + 1}`, position: i + 1 })),
  );
}

/**
 * Records from a file with one entry a line; empty lines and lines that begin with `#` are passed over.
 * @throws KeyEntriesError
 */
export function parseKeyFile(text: string): KeyRecord[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return toRecords(
    lines
      .map((line, i) => ({ entry: line.trim(), where: `Line ${i + 1}`, position: i + 1 }))
      .filter(({ entry }) => entry[0] !== '#'),
  );
}

interface Entry {
  readonly entry: string;
  readonly where: string;
  readonly position: number;
}

function toRecords(entries: readonly Entry[]): KeyRecord[] {
  const records = new Map<string, KeyRecord>();
  for (const given of entries) {
    if (given.entry === '') continue;
    const sha256 = digestOf(given);
    // Plain keys carry no name of their own: the digest names them without giving anything away.
    const name = sha256.slice(0, 8);
    records.set(sha256, Object.freeze({ name, owner: name, sha256, scopes: Object.freeze([]) }));
  }
  return [...records.values()];
}

function digestOf({ entry, where, position }: Entry): string {
  const digest = /^sha256:(.*)$/i.exec(entry)?.[1]?.toLowerCase();
  if (digest === undefined) {
    if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(entry)) {
      throw new KeyEntriesError(`${where} is not a key: use printable ASCII without spaces and commas.`, position);
    }
    return keyDigest(entry);
  }
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    throw new KeyEntriesError(`${where} begins with sha256: and needs 64 hexadecimal digits after it.`, position);
  }
  return digest;
}
