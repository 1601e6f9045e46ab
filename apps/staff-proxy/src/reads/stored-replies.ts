import type { RawReply } from '@rostergate/runtime/contract';

/** An answer with all its bytes, as it is given again. */
export interface KeptAnswer {
  readonly reply: RawReply & { readonly raw: Uint8Array };
  readonly etag: string;
  /** Whether who names the tag has this very answer: not every upstream gives another answer another tag. */
  isTagProven: boolean;
  /** What had been written when it was asked for. */
  readonly stamp: number;
  /** When it was asked for. */
  readonly startedMs: number;
}

/** Answers within a bound of memory and time; those that were asked for longest ago go first. */
export interface KeptAnswers {
  /** Undefined, too, for what is too old or was read before a write. */
  get(key: string, stamp: number): KeptAnswer | undefined;
  set(key: string, answer: KeptAnswer): void;
  /** Takes the bytes of an answer as they pass by. */
  collect(): Collection;
  /** Forgets everything and keeps nothing more. */
  close(): void;
  readonly ageMsMax: number;
  /** The longest answer that is kept, in bytes. */
  readonly answerBytesMax: number;
}

export interface Collection {
  add(chunk: Uint8Array): void;
  /** The whole answer; undefined when it became too long, or others needed the room. */
  finish(): Buffer | undefined;
  drop(): void;
}

export interface KeptAnswersOptions {
  readonly secondsMax: number;
  /** How much all answers may weigh, those included that are being collected. */
  readonly bytesMax: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** By how many bytes it weighs more than before. */
  readonly onGrown?: (bytes: number) => void;
}

export function createKeptAnswers({ secondsMax, bytesMax, clock, onGrown }: KeptAnswersOptions): KeptAnswers {
  const ageMsMax = secondsMax * 1_000;
  const answerBytesMax = Math.min(16 * 1024 ** 2, Math.floor(bytesMax / 4));
  // In the order of their last use.
  const answers = new Map<string, KeptAnswer>();
  let keptBytes = 0;
  let collectedBytes = 0;
  let isClosed = false;

  function grow(bytes: number): void {
    keptBytes += bytes;
    onGrown?.(bytes);
  }

  function forget(key: string, answer: KeptAnswer): void {
    answers.delete(key);
    grow(-weightOf(key, answer));
  }

  function makeRoom(): void {
    for (const [key, answer] of answers) {
      if (keptBytes + collectedBytes <= bytesMax) break;
      forget(key, answer);
    }
  }

  return {
    ageMsMax,
    answerBytesMax,
    get(key, stamp) {
      const answer = answers.get(key);
      if (answer === undefined) return undefined;
      if (answer.stamp !== stamp || clock() >= answer.startedMs + ageMsMax) {
        forget(key, answer);
        return undefined;
      }
      answers.delete(key);
      answers.set(key, answer);
      return answer;
    },
    set(key, answer) {
      if (isClosed || answer.reply.raw.length > answerBytesMax) return;
      const before = answers.get(key);
      if (before !== undefined) forget(key, before);
      answers.set(key, answer);
      grow(weightOf(key, answer));
      makeRoom();
    },
    collect() {
      let chunks: Uint8Array[] | undefined = [];
      let length = 0;
      const drop = () => {
        if (chunks === undefined) return;
        chunks = undefined;
        collectedBytes -= length;
      };
      return {
        drop,
        add(chunk) {
          if (chunks === undefined) return;
          chunks.push(chunk);
          length += chunk.length;
          collectedBytes += chunk.length;
          // What is not whole yet never takes the room of more than half of what is.
          if (isClosed || length > answerBytesMax || collectedBytes > bytesMax / 2) drop();
          else makeRoom();
        },
        finish() {
          const whole = chunks && Buffer.concat(chunks);
          drop();
          return whole;
        },
      };
    },
    close() {
      isClosed = true;
      for (const [key, answer] of answers) forget(key, answer);
    },
  };
}

/** With what it is compressed to, which is kept with it, and what JavaScript adds. */
function weightOf(key: string, { reply }: KeptAnswer): number {
  return Math.ceil(reply.raw.length * 1.25) + 2 * key.length + 1_024;
}
