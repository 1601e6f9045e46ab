import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('knows how deep any JSON is', () => {
  const texts = fc.oneof(
    fc.json({ maxDepth: 6, stringUnit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a', 'é') }),
    fc.json({ maxDepth: 6 }),
  );
  const holds = (text: string) => {
    const bytes = Buffer.from(text);
    const depth = depthOf(JSON.parse(text));
    expect(isDeeperThan(bytes, depth)).toBe(false);
    if (depth > 0) expect(isDeeperThan(bytes, depth - 1)).toBe(true);
  };
  fc.assert(fc.property(texts, holds), { numRuns: 500 });
});

it.each(['[', '{"a":', '[{"[":'])('looks no further into millions of %s than it must', (piece) => {
  const bytes = Buffer.from(piece.repeat(2_000_000));
  const before = process.threadCpuUsage();
  expect(isDeeperThan(bytes, 1_000)).toBe(true);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(50);
});

it('takes a text of backslashes, closed or not, in proportion to its length', () => {
  for (const text of ['\\'.repeat(500_000), '\\"'.repeat(500_000), '\\\\"'.repeat(300_000)]) {
    const before = process.threadCpuUsage();
    expect(isDeeperThan(Buffer.from(`["${text}`), 10)).toBe(false);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(200);
  }
});
