import { expect, it } from 'vitest';
import { Pace, type PaceOptions } from './pace.ts';
import { OutOfTime } from './read-engine.ts';

/** A clock that advances only when work takes time. */
function createClock() {
  let ms = 0;
  const now = () => ms;
  return { take: (more: number) => (ms += more), options: { now, processor: now } };
}

const rows = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Returns the pieces for rows that each take this long. */
async function piecesOf(count: number, msPerRow: number, options: Partial<PaceOptions> = {}): Promise<number[][]> {
  const { take, options: clocks } = createClock();
  const pace = new Pace({ budgetMs: 5_000, ...clocks, ...options });
  const pieces: number[][] = [];
  const work = (piece: readonly number[], limitMs: number) => {
    const neededMs = piece.length * msPerRow;
    take(Math.min(neededMs, limitMs));
    if (neededMs > limitMs) throw new OutOfTime();
    return [...piece];
  };
  for await (const piece of pace.each(rows(count), work)) pieces.push(piece);
  return pieces;
}

it.each([0.001, 0.05, 1, 5])('processes every row once, in order, at %s ms per row', async (msPerRow) => {
  expect((await piecesOf(400, msPerRow)).flat()).toEqual(rows(400));
});

it('takes larger pieces of cheap rows, and smaller ones of expensive rows', async () => {
  const cheap = await piecesOf(5_000, 0.001);
  expect(cheap.at(-2)?.length).toBe(1_000);
  for (const piece of await piecesOf(400, 1)) expect(piece.length).toBeLessThanOrEqual(8);
  for (const piece of await piecesOf(20, 20)) expect(piece.length).toBe(1);
});

it('stops a query whose pieces together exceed the budget', async () => {
  await expect(piecesOf(200, 1, { budgetMs: 100 })).rejects.toMatchObject({ code: 'query_too_costly' });
});

it('stops a query that takes too long for one row', async () => {
  await expect(piecesOf(3, 60)).rejects.toMatchObject({ code: 'query_too_costly' });
});

it('stops when the client has disconnected', async () => {
  const work = piecesOf(200, 1, { signal: AbortSignal.abort() });
  await expect(work).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});

it('lets other requests run between pieces', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const pieces = await piecesOf(100, 1);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
});
