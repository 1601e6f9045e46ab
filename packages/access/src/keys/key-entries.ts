import { type KeyRecord, keyDigest } from './keyring.ts';

/** A list of keys that cannot be parsed. The message names the entry by its position, never by its text. */
export class KeyEntriesError extends Error {
  /** Number of the entry, or of the line in a file, from 1. */
  readonly position: number | undefined;

  constructor(detail: string, position?: number) {
    super(detail);
    this.name = 'KeyEntriesError';
    this.position = position;
  }
}

/**
 * Parses a comma-separated list of keys or `sha256:<hex>` digests. Ignores empty entries and repeats.
 * @throws KeyEntriesError
 */
export function parseKeyEntries(text: string): KeyRecord[] {
  return toRecords(
    text.split(',').map((entry, i) => ({ text: entry.trim(), where: `Entry ${i + 1}`, position: i + 1 })),
  );
}

/**
 * Parses a file with one key or digest per line. Ignores empty lines, repeats and lines that begin with `#`.
 * @throws KeyEntriesError
 */
export function parseKeyFile(text: string): KeyRecord[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return toRecords(
    lines
      .map((line, i) => ({ text: line.trim(), where: `Line ${i + 1}`, position: i + 1 }))
      .filter((entry) => entry.text[0] !== '#'),
  );
}

interface Entry {
  readonly text: string;
  readonly where: string;
  readonly position: number;
}

function toRecords(entries: readonly Entry[]): KeyRecord[] {
  const records = new Map<string, KeyRecord>();
  for (const entry of entries) {
    if (entry.text === '') continue;
    const sha256 = digestOf(entry);
    // The digest names a key without revealing it.
    const name = sha256.slice(0, 8);
    records.set(sha256, Object.freeze({ name, owner: name, sha256, scopes: Object.freeze([]) }));
  }
  return [...records.values()];
}

function digestOf({ text, where, position }: Entry): string {
  const digest = /^sha256:(.*)$/i.exec(text)?.[1]?.toLowerCase();
  if (digest === undefined) {
    if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(text)) {
      throw new KeyEntriesError(`${where} is not a key: use printable ASCII without spaces and commas.`, position);
    }
    return keyDigest(text);
  }
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    throw new KeyEntriesError(`${where} begins with sha256: and needs 64 hexadecimal digits after it.`, position);
  }
  return digest;
}
