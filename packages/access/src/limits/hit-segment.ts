import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Hit, HitWindow } from './hit-store.ts';

/** The keys and limits of hits. A hit refers to it by its number, which is its place in the file of definitions. */
export interface HitDefinition {
  readonly hit: Hit;
  /** This process appended it. */
  readonly isOwn: boolean;
}

/** Returns the files of one segment of the log: its hits and their definitions. */
export const segmentFiles = (folder: string, segment: number): readonly [hits: string, definitions: string] => [
  join(folder, `hits-${segment}`),
  join(folder, `definitions-${segment}`),
];

/** One segment of the log. Any process may be the first to open it. */
export class HitSegment {
  readonly number: number;
  /** File descriptor of the hits. */
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

  /** Returns the number of the definition of this hit. Appends the definition if this process has not done so. */
  define({ keys, limits, windows }: Hit): number {
    const name = keys.length === 1 ? (keys[0] as string) : keys.join('\n');
    const known = this.#own.get(name);
    if (known !== undefined && isSameHit(known.hit, keys, limits, windows)) return known.number;
    const text = JSON.stringify([this.#writer, keys.map(digestOf).join(''), limits, ...(windows ? [windows] : [])]);
    if (text.length > definitionBytes) throw new RangeError('The limits of a hit are too long for the log.');
    const bytes = Buffer.alloc(definitionBytes, ' ');
    bytes.write(text);
    append(this.#file, bytes, definitionBytes);
    this.#read();
    const number = this.#all.findLastIndex(({ isOwn }) => isOwn);
    this.#own.set(name, { hit: { keys, limits, windows }, number });
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
        const definition: Definition = JSON.parse(chunk.toString('latin1', at, at + definitionBytes));
        const [writer, digests, limits, windows] = definition;
        const keys = limits.map((_, i) => digests.slice(i * digestLength, (i + 1) * digestLength));
        this.#all.push({ hit: { keys, limits, windows }, isOwn: writer === this.#writer });
      }
    }
  }
}

/** @throws Error when the file does not take all bytes */
export function append(file: number, bytes: Uint8Array, length: number): void {
  if (writeSync(file, bytes, 0, length) < length) throw new Error('The disk is full.');
}

/** Returns the digest of a key for the log: of one length, and unreadable. */
export const digestOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, digestLength);

const digestLength = 22;

type Definition = readonly [writer: number, digests: string, limits: readonly number[], windows?: readonly HitWindow[]];

function isSameHit(one: Hit, keys: Hit['keys'], limits: Hit['limits'], windows: Hit['windows']): boolean {
  return (
    isSame(one.keys, keys) &&
    isSame(one.limits, limits) &&
    (one.windows === windows || (one.windows !== undefined && windows !== undefined && isSame(one.windows, windows)))
  );
}

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Divides the length of a page, so that no definition is written in part when the disk is full. */
const definitionBytes = 256;
/** Keys of a hit at most, so that their digests and limits fit into a definition. */
export const keysPerHitMax = 6;
const chunk = Buffer.alloc(64 * definitionBytes);

/** Divides the length of a page, so that no record is written in part when the disk is full. */
export const recordBytes = 16;

/** A buffer of hits of the log, 16 bytes each: time, number of the definition, sequence of the writer, checksum. */
export class HitRecords {
  readonly bytes: Uint8Array;
  readonly #times: Float64Array;
  readonly #words: Uint32Array;

  constructor(count: number) {
    const buffer = new ArrayBuffer(count * recordBytes);
    this.bytes = new Uint8Array(buffer);
    this.#times = new Float64Array(buffer);
    this.#words = new Uint32Array(buffer);
  }

  set(index: number, timeMs: number, definition: number, sequence: number): void {
    this.#times[index * 2] = timeMs;
    this.#words[index * 4 + 2] = definition;
    this.#words[index * 4 + 3] = (this.#checksumOf(index, sequence) << 16) | sequence;
  }

  timeOf(index: number): number {
    return this.#times[index * 2] as number;
  }

  definitionOf(index: number): number {
    return this.#words[index * 4 + 2] as number;
  }

  sequenceOf(index: number): number {
    return (this.#words[index * 4 + 3] as number) & 0xffff;
  }

  /** Returns false for bytes that are not one record: the end of a partial one and the beginning of the next. */
  isWhole(index: number): boolean {
    return (this.#words[index * 4 + 3] as number) >>> 16 === this.#checksumOf(index, this.sequenceOf(index));
  }

  #checksumOf(index: number, sequence: number): number {
    const words = this.#words;
    const time = (words[index * 4] as number) ^ Math.imul(words[index * 4 + 1] as number, 0x85ebca6b);
    const mixed = Math.imul(time ^ Math.imul(words[index * 4 + 2] as number, 0xc2b2ae35) ^ sequence, 0x27d4eb2f);
    return (mixed >>> 16) ^ 0xa55a;
  }
}
