import { runInSlices, type Steps } from '@rostergate/runtime/steps';
import type { AnswerVerdict } from './check-response.ts';

/** Keeps samples of answers until there is time to judge them: one after the other, in slices, within a bounded memory. */
export interface SampleDesk {
  /** Begins to keep an answer; `judge` is told of all of it, once and later. */
  begin(
    judge: (chunks: readonly Uint8Array[]) => Steps<AnswerVerdict>,
    report: (verdict: AnswerVerdict) => void,
  ): Sample;
  /** Resolves when nothing waits to be judged. */
  settled(): Promise<void>;
}

/** One answer that is being kept. */
export interface Sample {
  /** Nobody may write into the bytes any more. */
  add(chunk: Uint8Array): void;
  /** All of it is there: it may be judged. */
  finish(): void;
  /** It came to nothing. */
  drop(): void;
}

export interface SampleDeskOptions {
  /** How much all samples may weigh together; one that would be too much is left unchecked. */
  readonly bytesMax: number;
  /** How long judging may go on at a time. */
  readonly sliceMs?: number;
  /** Gives way to whoever else has something to do. */
  readonly pause?: () => Promise<unknown>;
}

export function createSampleDesk(options: SampleDeskOptions): SampleDesk {
  const { bytesMax, sliceMs = 2, pause = nextTurn } = options;
  const waiting: (() => Promise<void>)[] = [];
  let bytesKept = 0;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // The answer itself goes out first.
      await pause();
      await next();
    }
    working = undefined;
  }

  return {
    begin(judge, report) {
      let chunks: Uint8Array[] | undefined = [];
      let length = ownBytes;
      bytesKept += length;
      const drop = () => {
        chunks = undefined;
        bytesKept -= length;
        length = 0;
      };
      return {
        add(chunk) {
          if (chunks === undefined) return;
          length += chunk.length;
          bytesKept += chunk.length;
          // A small piece of a large buffer would keep all of that.
          chunks.push(chunk.length * 2 < chunk.buffer.byteLength ? new Uint8Array(chunk) : chunk);
          if (bytesKept <= bytesMax) return;
          drop();
          report({ outcome: 'unchecked', places: [] });
        },
        finish() {
          const kept = chunks;
          if (kept === undefined) return;
          waiting.push(async () => {
            const verdict = await runInSlices(judge(kept), { sliceMs, pause });
            drop();
            report(verdict);
          });
          working ??= work();
        },
        drop,
      };
    },
    settled: () => working ?? Promise.resolve(),
  };
}

/** What one that waits takes besides its bytes. */
const ownBytes = 1_024;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
