import { describe, expect, it } from 'vitest';
import type { AnswerVerdict } from './check-response.ts';
import { createSampleDesk } from './sample-queue.ts';

const sound: AnswerVerdict = { outcome: 'sound', places: [] };

function startDesk(bytesMax = 1_000_000) {
  const turns: (() => void)[] = [];
  const desk = createSampleDesk({
    bytesMax,
    sliceMs: 0,
    pause: () => new Promise<void>((resolve) => void turns.push(resolve)),
  });
  const events: string[] = [];
  const begin = (name: string, steps = 2) =>
    desk.begin(
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
  /** Lets it go on where it has given way. */
  const takeTurn = async () => {
    turns.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { desk, events, begin, takeTurn };
}

describe('createSampleDesk', () => {
  it('judges later, one answer after the other, and gives way between two steps', async () => {
    const { events, begin, takeTurn, desk } = startDesk();
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
    await desk.settled();
    expect(seen).toEqual([0, 1, 2, 4, 5, 6]);
    expect(events).toEqual(['a', 'b'].flatMap((n) => [`${n} step 0`, `${n} step 1`, `${n} has xy`, `${n} is sound`]));
  });

  it('keeps no more than its bound, and leaves unchecked what would be more', async () => {
    const { events, begin, takeTurn, desk } = startDesk(10_000);
    const first = begin('first', 0);
    first.add(Buffer.alloc(6_000, 'x'));
    const second = begin('second', 0);
    second.add(Buffer.alloc(6_000));
    second.add(Buffer.alloc(6_000));
    second.finish();
    expect(events).toEqual(['second is unchecked']);
    first.finish();
    await takeTurn();
    await desk.settled();
    expect(events.at(-1)).toBe('first is sound');
    const third = begin('third', 0);
    third.add(Buffer.alloc(6_000));
    third.finish();
    await takeTurn();
    await desk.settled();
    expect(events.at(-1)).toBe('third is sound');
  });

  it('counts small answers as more than their bytes: so many of them are bounded too', () => {
    const { events, begin } = startDesk(100_000);
    for (let i = 0; i < 200; i++) begin(`${i}`).add(Buffer.from('[]'));
    expect(events.length).toBe(200 - Math.floor(100_000 / 1_026));
  });

  it('forgets an answer that came to nothing', async () => {
    const { events, begin, desk } = startDesk(10_000);
    const dropped = begin('dropped');
    dropped.add(Buffer.alloc(8_000));
    dropped.drop();
    dropped.finish();
    begin('other').add(Buffer.alloc(8_000));
    await desk.settled();
    expect(events).toEqual([]);
  });

  it('does not keep a large buffer for a small piece of it', async () => {
    const desk = createSampleDesk({ bytesMax: 10_000 });
    let kept = 0;
    const sample = desk.begin(
      function* (chunks) {
        kept = chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
        return sound;
      },
      () => {},
    );
    sample.add(Buffer.allocUnsafeSlow(1_000_000).fill(0).subarray(5, 15));
    sample.finish();
    await desk.settled();
    expect(kept).toBe(10);
  });
});
