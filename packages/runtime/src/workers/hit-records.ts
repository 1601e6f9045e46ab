/** Divides the length of a page, so no record is written in part when space runs out. */
export const recordBytes = 16;

/** Hits as they stand in the log, 16 bytes each: time, number of the definition, sequence of the writer, check sum. */
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
    this.#words[index * 4 + 3] = (this.#checkSumOf(index, sequence) << 16) | sequence;
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

  /** False for what is not one record: the end of one that was written in part, and the beginning of the next. */
  isWhole(index: number): boolean {
    return (this.#words[index * 4 + 3] as number) >>> 16 === this.#checkSumOf(index, this.sequenceOf(index));
  }

  #checkSumOf(index: number, sequence: number): number {
    const words = this.#words;
    const time = (words[index * 4] as number) ^ Math.imul(words[index * 4 + 1] as number, 0x85ebca6b);
    const mixed = Math.imul(time ^ Math.imul(words[index * 4 + 2] as number, 0xc2b2ae35) ^ sequence, 0x27d4eb2f);
    return (mixed >>> 16) ^ 0xa55a;
  }
}
