import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Hit } from '../limits/index.ts';

/** The keys and limits of hits. Hits name it by its number: its place in the file of definitions. */
export interface HitDefinition {
  readonly hit: Hit;
  /** This process appended it. */
  readonly isOwn: boolean;
}

/** The files of one segment of the log: its hits, and the definitions that they name. */
export const segmentFiles = (folder: string, segment: number): readonly [hits: string, definitions: string] => [
  join(folder, `hits-${segment}`),
  join(folder, `definitions-${segment}`),
];

/** One segment of the log. Every process may be the first to open it. */
export class HitSegment {
  readonly number: number;
  /** Descriptor of the file of hits. */
  readonly hits: number;
  readonly #file: number;
  readonly #writer: number;
  readonly #all: HitDefinition[] = [];
  readonly #own = new Map<string, { readonly hit: Hit; readonly number: number }>();

  constructor(folder: string, number: number, writer: number) {
    const [hits, definitions] = segmentFiles(folder, number);
    this.number = number;
    this.#writer = writer;
    this.hits = openSync(hits, 'a+', 0o600);
    try {
      this.#file = openSync(definitions, 'a+', 0o600);
    } catch (error) {
      closeSync(this.hits);
      throw error;
    }
  }

  find(number: number): HitDefinition | undefined {
    if (number >= this.#all.length) this.#read();
    return this.#all[number];
  }

  /** The number of the definition of this hit, which is appended when this process has not yet done so. */
  define({ keys, limits }: Hit): number {
    const name = keys.length === 1 ? (keys[0] as string) : keys.join('\n');
    const known = this.#own.get(name);
    if (known !== undefined && isSame(known.hit.keys, keys) && isSame(known.hit.limits, limits)) return known.number;
    const bytes = Buffer.alloc(definitionBytes, ' ');
    bytes.write(JSON.stringify([this.#writer, keys.map(digestOf), limits]));
    append(this.#file, bytes, definitionBytes);
    this.#read();
    const number = this.#all.findLastIndex(({ isOwn }) => isOwn);
    this.#own.set(name, { hit: { keys, limits }, number });
    return number;
  }

  close(): void {
    closeSync(this.hits);
    closeSync(this.#file);
  }

  #read(): void {
    for (let length = chunk.length; length === chunk.length; ) {
      length = readSync(this.#file, chunk, 0, chunk.length, this.#all.length * definitionBytes);
      for (let at = 0; at + definitionBytes <= length; at += definitionBytes) {
        const [writer, keys, limits] = JSON.parse(chunk.toString('latin1', at, at + definitionBytes));
        this.#all.push({ hit: { keys, limits }, isOwn: writer === this.#writer });
      }
    }
  }
}

/** @throws when there is no space for all of it. */
export function append(file: number, bytes: Uint8Array, length: number): void {
  if (writeSync(file, bytes, 0, length) < length) throw new Error('The file is full.');
}

/** Keys in the log have one length, and cannot be read. */
export const digestOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, 22);

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Divides the length of a page, so that none is written in part when space runs out. */
const definitionBytes = 256;
/** The most keys of a hit: their digests and limits fit into a definition. */
export const keysPerHitMax = 4;
const chunk = Buffer.alloc(64 * definitionBytes);
