import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CallController, type CallSignal } from '@rostergate/server';

/** The part of a response that a reader has received. */
export interface ReadSoFar {
  readonly bytes: number;
  /** SHA-256 of them. */
  readonly digest: Buffer;
}

export interface SharedStreamOptions {
  readonly source: Readable;
  /** Readers may join until this much has arrived. */
  readonly joinBytesMax: number;
  /** How far a reader may fall behind before the others wait for it. */
  readonly lagBytesMax: number;
  /** How long they wait in all before the slow reader is detached; the budget regrows at half the speed of time. */
  readonly patienceMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Returns the rest of the response for a detached reader. */
  readonly resume: (soFar: ReadSoFar, signal: CallSignal) => Promise<Readable>;
  /** Called once, when no more readers may join. */
  readonly onSealed: () => void;
  readonly onChunk?: ((chunk: Buffer) => void) | undefined;
  /** Called once, with whether the response is complete. */
  readonly onOver?: ((isWhole: boolean) => void) | undefined;
}

/**
 * One response for several readers, each at its own pace within a bound of memory: bytes that all have received are
 * dropped. The fastest reader sets the pace; a reader that stays too far behind is detached and reads the rest by itself.
 * Ends with its last reader.
 */
export class SharedStream {
  readonly #options: SharedStreamOptions;
  readonly #source: Readable;
  readonly #readers = new Set<SharedReader>();
  #chunks: Buffer[] = [];
  /** Index of the first chunk that is still held. */
  #first = 0;
  #heldBytes = 0;
  #droppedBytes = 0;
  /** Digest of the dropped bytes, while there is more than one reader. */
  #dropped: Hash | undefined;
  #isSealed = false;
  #hasEnded = false;
  #isOver = false;
  #isAdvancing = false;
  #isToAdvance = false;
  #patienceLeftMs: number;
  #waitingSinceMs: number | undefined;
  #waitedUntilMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SharedStreamOptions) {
    const { source, patienceMs } = options;
    this.#options = options;
    this.#source = source;
    this.#patienceLeftMs = patienceMs;
    source.pause();
    source
      .on('data', (chunk: Buffer) => this.#take(chunk))
      .once('end', () => this.#end())
      .once('error', (error) => this.#fail(error))
      .once('close', () => this.#fail(source.errored ?? new Error('The response was destroyed before its end.')));
    source.pause();
    if (source.destroyed) this.#fail(source.errored ?? new Error('The response was destroyed before its end.'));
  }

  /** Returns a reader from the first byte on; undefined when that is no longer held. */
  open(): Readable | undefined {
    if (this.#isSealed) return undefined;
    const reader = new SharedReader(this, this.#options.resume);
    this.#readers.add(reader);
    return reader;
  }

  /** Gives each reader the bytes that it asks for, and reads on where a reader waits. */
  advance(): void {
    // Reentrant: a reader that receives a chunk may ask for more, or leave, at once.
    this.#isToAdvance = true;
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    while (this.#isToAdvance) {
      this.#isToAdvance = false;
      for (const reader of this.#readers) this.#give(reader);
    }
    this.#isAdvancing = false;
    this.#drop();
    this.#setPace();
  }

  leave(reader: SharedReader): void {
    if (!this.#readers.delete(reader)) return;
    if (this.#readers.size > 0) {
      this.advance();
      return;
    }
    this.#seal();
    this.#over(this.#hasEnded);
    if (!this.#hasEnded) this.#source.destroy();
  }

  #give(reader: SharedReader): void {
    while (reader.isAsking) {
      const chunk = this.#chunks[reader.next - this.#first];
      if (chunk === undefined) {
        if (this.#hasEnded) reader.finish();
        return;
      }
      reader.next++;
      reader.receive(chunk);
    }
  }

  #take(chunk: Buffer): void {
    this.#options.onChunk?.(chunk);
    this.#chunks.push(chunk);
    this.#heldBytes += chunk.length;
    if (!this.#isSealed && this.#heldBytes > this.#options.joinBytesMax) this.#seal();
    this.advance();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#seal();
    this.#over(true);
    this.advance();
  }

  #fail(error: Error): void {
    if (this.#hasEnded) return;
    this.#seal();
    this.#over(false);
    for (const reader of [...this.#readers]) reader.destroy(error);
  }

  #seal(): void {
    if (this.#isSealed) return;
    this.#isSealed = true;
    if (this.#readers.size > 1) this.#dropped = createHash('sha256');
    this.#options.onSealed();
  }

  #over(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWaiting();
    this.#options.onOver?.(isWhole);
  }

  /** Drops the bytes that every reader has received. */
  #drop(): void {
    if (!this.#isSealed) return;
    if (this.#readers.size < 2) this.#dropped = undefined;
    let next = this.#first + this.#chunks.length;
    for (const reader of this.#readers) next = Math.min(next, reader.next);
    for (const chunk of this.#chunks.splice(0, next - this.#first)) {
      this.#dropped?.update(chunk);
      this.#droppedBytes += chunk.length;
      this.#heldBytes -= chunk.length;
    }
    this.#first = next;
  }

  #setPace(): void {
    if (this.#isOver) return;
    if (![...this.#readers].some(({ isAsking }) => isAsking)) {
      this.#source.pause();
      this.#stopWaiting();
    } else if (this.#heldBytes < this.#options.lagBytesMax) {
      this.#stopWaiting();
      this.#source.resume();
    } else {
      this.#source.pause();
      this.#waitForSlowest();
    }
  }

  #waitForSlowest(): void {
    if (this.#timer !== undefined) return;
    const { clock, patienceMs } = this.#options;
    this.#waitingSinceMs = clock();
    const regainedMs = (this.#waitingSinceMs - this.#waitedUntilMs) / 2;
    this.#patienceLeftMs = Math.min(patienceMs, this.#patienceLeftMs + regainedMs);
    this.#timer = setTimeout(() => this.#detachSlowest(), Math.max(0, this.#patienceLeftMs));
  }

  #stopWaiting(): void {
    if (this.#waitingSinceMs === undefined) return;
    clearTimeout(this.#timer);
    this.#waitedUntilMs = this.#options.clock();
    this.#patienceLeftMs -= this.#waitedUntilMs - this.#waitingSinceMs;
    this.#timer = undefined;
    this.#waitingSinceMs = undefined;
  }

  #detachSlowest(): void {
    this.#stopWaiting();
    for (const reader of [...this.#readers]) {
      const received = reader.next - this.#first;
      const lag = this.#chunks.slice(received).reduce((bytes, { length }) => bytes + length, 0);
      if (reader.isAsking || lag * 2 < this.#options.lagBytesMax || this.#dropped === undefined) continue;
      const digest = this.#dropped.copy();
      for (const chunk of this.#chunks.slice(0, received)) digest.update(chunk);
      this.#readers.delete(reader);
      reader.detach({ bytes: this.#droppedBytes + this.#heldBytes - lag, digest: digest.digest() });
    }
    this.advance();
  }
}

/** One reader's view of the response. */
class SharedReader extends Readable {
  /** Index of the next chunk. */
  next = 0;
  isAsking = false;
  readonly #shared: SharedStream;
  readonly #resume: SharedStreamOptions['resume'];
  #soFar: ReadSoFar | undefined;
  readonly #abort = new CallController();
  #rest: Readable | undefined;

  constructor(shared: SharedStream, resume: SharedStreamOptions['resume']) {
    super();
    this.#shared = shared;
    this.#resume = resume;
    // An error before anything reads this stream must not end the process.
    this.on('error', () => {});
  }

  receive(chunk: Buffer): void {
    if (!this.push(chunk)) this.isAsking = false;
  }

  finish(): void {
    this.isAsking = false;
    this.push(null);
  }

  /** Reads the rest by itself, once the received bytes have been sent. */
  detach(soFar: ReadSoFar): void {
    this.#soFar = soFar;
  }

  override _read(): void {
    if (this.#soFar === undefined) {
      this.isAsking = true;
      this.#shared.advance();
    } else if (this.#rest !== undefined) {
      this.#rest.resume();
    } else if (!this.isAsking) {
      this.isAsking = true;
      this.#resume(this.#soFar, this.#abort).then(
        (rest) => this.#follow(rest),
        (error) => this.destroy(error),
      );
    }
  }

  #follow(rest: Readable): void {
    if (this.destroyed) {
      rest.destroy();
      return;
    }
    this.#rest = rest;
    rest
      .on('data', (chunk: Buffer) => {
        if (!this.push(chunk)) rest.pause();
      })
      .once('end', () => this.push(null))
      .once('error', (error) => this.destroy(error));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.isAsking = false;
    this.#abort.abort();
    this.#rest?.destroy();
    this.#shared.leave(this);
    done(error);
  }
}
