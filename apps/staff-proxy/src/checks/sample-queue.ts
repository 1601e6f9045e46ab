import { pipeline, type Readable, Transform } from 'node:stream';
import { runInSlices, type Steps } from '@rostergate/server/steps';
import type { CheckResult } from './check-response.ts';

/** Stores sampled responses and checks them later, one after the other, in slices and within a bound of memory. */
export interface SampleQueue {
  /** Starts to collect a response; `check` runs once, after it is complete. */
  begin(check: (chunks: readonly Uint8Array[]) => Steps<CheckResult>, report: (result: CheckResult) => void): Sample;
  /** Resolves when no sample waits for its check. */
  settled(): Promise<void>;
}

/** A response that is being collected. */
export interface Sample {
  /** The bytes must not change afterwards. */
  add(chunk: Uint8Array): void;
  /** The response is complete and may be checked. */
  finish(): void;
  /** The response was not completed. */
  drop(): void;
}

export interface SampleQueueOptions {
  /** Size of all samples; a sample beyond it stays unchecked. */
  readonly bytesMax: number;
  /** How long a check may block the event loop. */
  readonly sliceMs?: number;
  /** Yields to other work. */
  readonly pause?: () => Promise<unknown>;
}

export function createSampleQueue(options: SampleQueueOptions): SampleQueue {
  const { bytesMax, sliceMs = 2, pause = nextTurn } = options;
  const waiting: (() => Promise<void>)[] = [];
  let bytesHeld = 0;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // The response itself is sent first.
      await pause();
      await next();
    }
    working = undefined;
  }

  return {
    begin(check, report) {
      let chunks: Uint8Array[] | undefined = [];
      let length = overheadBytes;
      bytesHeld += length;
      const drop = () => {
        chunks = undefined;
        bytesHeld -= length;
        length = 0;
      };
      return {
        add(chunk) {
          if (chunks === undefined) return;
          length += chunk.length;
          bytesHeld += chunk.length;
          // A small slice would retain its whole buffer.
          chunks.push(chunk.length * 2 < chunk.buffer.byteLength ? new Uint8Array(chunk) : chunk);
          if (bytesHeld <= bytesMax) return;
          drop();
          report({ outcome: 'unchecked', places: [] });
        },
        finish() {
          const collected = chunks;
          if (collected === undefined) return;
          waiting.push(async () => {
            const result = await runInSlices(check(collected), { sliceMs, pause });
            drop();
            report(result);
          });
          working ??= work();
        },
        drop,
      };
    },
    settled: () => working ?? Promise.resolve(),
  };
}

/** Memory of a waiting sample besides its bytes. */
const overheadBytes = 1_024;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Returns the same body, whose bytes are copied to a sample as they pass. */
export function tapBody(body: Readable, sample: Sample): Readable {
  const tapped = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sample.add(chunk);
      done(null, chunk);
    },
    flush(done) {
      sample.finish();
      done();
    },
  });
  // Either stream's failure ends the other, and the reader sees it.
  pipeline(body, tapped, (error) => {
    if (error) sample.drop();
  });
  return tapped;
}
