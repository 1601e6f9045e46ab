import { describe, expect, it } from 'vitest';
import type { CheckResult } from './check-response.ts';
import { createSampleQueue } from './sample-queue.ts';

const sound: CheckResult = { outcome: 'sound', places: [] };

function startQueue(bytesMax = 1_000_000) {
  const turns: (() => void)[] = [];
  const queue = createSampleQueue({
    bytesMax,
    sliceMs: 0,
    pause: () => new Promise<void>((resolve) => void turns.push(resolve)),
  });
  const events: string[] = [];
  const begin = (name: string, steps = 2) =>
    queue.begin(
      function* (chunks) {
        for (let step = 0; step < steps; step++) {
          events.push(`${name} step ${step}`);
          yield;
        }
        events.push(`${name} has ${Buffer.concat(chunks)}`);
        return sound;
      },
      ({ outcome }) => events.push(`${name} is ${outcome}`),
    );
  /** Resumes the queue after a pause. */
  const takeTurn = async () => {
    turns.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, events, begin, takeTurn };
}

describe('createSampleQueue', () => {
  it('checks later, one response after the other, and yields between steps', async () => {
    const { events, begin, takeTurn, queue } = startQueue();
    for (const name of ['a', 'b']) {
      const sample = begin(name);
      sample.add(Buffer.from('x'));
      sample.add(Buffer.from('y'));
      sample.finish();
    }
    const seen: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      seen.push(events.length);
      await takeTurn();
    }
    await queue.settled();
    expect(seen).toEqual([0, 1, 2, 4, 5, 6]);
    expect(events).toEqual(['a', 'b'].flatMap((n) => [`${n} step 0`, `${n} step 1`, `${n} has xy`, `${n} is sound`]));
  });

  it('leaves samples beyond its memory unchecked', async () => {
    const { events, begin, takeTurn, queue } = startQueue(10_000);
    const first = begin('first', 0);
    first.add(Buffer.alloc(6_000, 'x'));
    const second = begin('second', 0);
    second.add(Buffer.alloc(6_000));
    second.add(Buffer.alloc(6_000));
    second.finish();
    expect(events).toEqual(['second is unchecked']);
    first.finish();
    await takeTurn();
    await queue.settled();
    expect(events.at(-1)).toBe('first is sound');
    const third = begin('third', 0);
    third.add(Buffer.alloc(6_000));
    third.finish();
    await takeTurn();
    await queue.settled();
    expect(events.at(-1)).toBe('third is sound');
  });

  it('counts an overhead for each sample', () => {
    const { events, begin } = startQueue(100_000);
    for (let i = 0; i < 200; i++) begin(`${i}`).add(Buffer.from('[]'));
    expect(events.length).toBe(200 - Math.floor(100_000 / 1_026));
  });

  it('drops an unfinished response', async () => {
    const { events, begin, queue } = startQueue(10_000);
    const dropped = begin('dropped');
    dropped.add(Buffer.alloc(8_000));
    dropped.drop();
    dropped.finish();
    begin('other').add(Buffer.alloc(8_000));
    await queue.settled();
    expect(events).toEqual([]);
  });

  it('copies a small slice of a large buffer', async () => {
    const queue = createSampleQueue({ bytesMax: 10_000 });
    let heldBytes = 0;
    const sample = queue.begin(
      function* (chunks) {
        heldBytes = chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
        return sound;
      },
      () => {},
    );
    sample.add(Buffer.allocUnsafeSlow(1_000_000).fill(0).subarray(5, 15));
    sample.finish();
    await queue.settled();
    expect(heldBytes).toBe(10);
  });
});
