import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonBytesSteps, runInSlices, runSteps, type Steps } from './steps.ts';

function* countTo(last: number, seen: number[] = []): Steps<number> {
  for (let n = 1; n <= last; n++) {
    seen.push(n);
    yield;
  }
  return seen.length;
}

describe('runSteps', () => {
  it('runs to the end and returns the result', () => {
    expect(runSteps(countTo(3))).toBe(3);
  });
});

describe('runInSlices', () => {
  it('pauses after each slice and only then', async () => {
    let nowMs = 0;
    const seen: number[] = [];
    const seenAtPauses: number[] = [];
    const pause = async () => void seenAtPauses.push(seen.length);
    const result = await runInSlices(countTo(7, seen), { sliceMs: 3, now: () => nowMs++, pause });
    expect(result).toBe(7);
    expect(seenAtPauses).toEqual([3, 6]);
  });

  it('runs timers and sockets during a pause', async () => {
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    let untilTurns = 3;
    function* endless(): Steps<void> {
      while (turns < untilTurns) yield;
      untilTurns = 0;
    }
    await runInSlices(endless(), { sliceMs: 1 });
    clearInterval(other);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('rejects with the error of the work', async () => {
    function* failing(): Steps<void> {
      yield;
      throw new Error('no such thing');
    }
    await expect(runInSlices(failing())).rejects.toThrow('no such thing');
  });
});

describe('createJsonBytesSteps', () => {
  const textOf = (value: unknown, depth = 3) => runSteps(createJsonBytesSteps(value, { depth })).toString();

  it('returns the bytes of JSON.stringify for any depth', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.object({ withDate: true, withNullPrototype: true }));
    fc.assert(
      fc.property(value, fc.nat({ max: 5 }), (data, depth) => {
        expect(textOf(data, depth)).toBe(JSON.stringify(data));
      }),
    );
  });

  it('omits values that JSON cannot represent', () => {
    const value = { a: undefined, b: [undefined, () => 1], c: Symbol('c'), d: '\u2028ü', e: Number.NaN };
    expect(textOf(value)).toBe(JSON.stringify(value));
  });

  it('reports the bytes in order', () => {
    const pieces: Buffer[] = [];
    const value = Array.from({ length: 200 }, () => 'x'.repeat(1_000));
    const whole = runSteps(createJsonBytesSteps(value, { onPiece: (piece) => void pieces.push(piece) }));
    expect(pieces.length).toBeGreaterThan(1);
    expect(Buffer.concat(pieces)).toEqual(whole);
  });

  it('pauses between any two members of a large document', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`/${i}`, { get: { summary: 'x'.repeat(20) } }]),
    );
    let pauses = 0;
    for (const _ of createJsonBytesSteps({ openapi: '3.0.3', paths })) pauses++;
    expect(pauses).toBeGreaterThan(10_000);
  });
});
