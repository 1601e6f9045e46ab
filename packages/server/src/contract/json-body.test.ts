import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio, leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { countWrittenMembers, findTextFaults, hasLostMembers, mayHoldTextFaults } from './json-body.ts';

const isDeeperThan = (bytes: Buffer, depthMax: number) => countWrittenMembers(bytes, depthMax) === undefined;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const membersOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce(
        (sum: number, item) => sum + membersOf(item),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

it('counts members and limits depth for any JSON', () => {
  const texts = fc.oneof(
    fc.json({ maxDepth: 6, stringUnit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a', 'é') }),
    fc.json({ maxDepth: 6 }),
  );
  const holds = (text: string) => {
    const bytes = Buffer.from(text);
    const depth = depthOf(JSON.parse(text));
    expect(countWrittenMembers(bytes, depth)).toBe(membersOf(JSON.parse(text)));
    if (depth > 0) expect(isDeeperThan(bytes, depth - 1)).toBe(true);
  };
  fc.assert(fc.property(texts, holds), { numRuns: 500 });
});

it.each(['[', '{"a":', '[{"[":'])('stops at the depth limit in millions of %s', (piece) => {
  const [long, short] = [2_000_000, 2_000].map((count) => Buffer.from(piece.repeat(count)));
  const read100 = (bytes = Buffer.of()) => {
    for (let i = 0; i < 100; i++) expect(isDeeperThan(bytes, 1_000)).toBe(true);
  };
  expect(costRatio({ run: () => read100(long), peer: () => read100(short), ratioMax: 4 })).toBeLessThan(4);
});

it('reads a text of backslashes in linear time, closed or not', () => {
  for (const text of ['\\'.repeat(500_000), '\\"'.repeat(500_000), '\\\\"'.repeat(300_000)]) {
    const bytes = Buffer.from(`["${text}`);
    // Quadratic time would be minutes.
    const read = () => expect(isDeeperThan(bytes, 10)).toBe(false);
    expect(leastCpuMs(read, { msMax: 500 })).toBeLessThan(500);
  }
});

describe('hasLostMembers', () => {
  it.each([
    ['{"a":1,"a":2}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['[{"b":{"c":[{"d":1,"e":2,"d":3}]}}]', true],
    ['{"__proto__":1,"__proto__":2}', true],
    ['{"toString":1,"constructor":{"__proto__":1}}', false],
    ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}', false],
    ['{"a:b":"c:d\\":","\\\\":":"}', false],
    ['\uFEFF{"a":1,"b":null}', false],
    ['"a:b:c"', false],
  ])('returns for %s: %s', (text, expected) => {
    const written = countWrittenMembers(Buffer.from(text), 1_000) ?? 0;
    expect(hasLostMembers(JSON.parse(text.replace('\uFEFF', '')), written)).toBe(expected);
  });
});

describe('findTextFaults', () => {
  it.each([null, 1, 'Zoë 😀', { a: ['b', { 'c/d': 'e' }], n: 1 }, []])('finds no fault in %j', (body) => {
    expect(findTextFaults(body)).toEqual([]);
  });

  it('reports each unstorable text with its pointer', () => {
    const body = JSON.parse('{"a":"x\\u0000","b":["ok","\\ud800"],"c/d":{"~":"\\udc00"},"\\ud800":1}');
    expect(
      findTextFaults(body)
        .map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(['', '/a', '/b/1', '/c~1d/~0']);
  });

  it('walks a body of any depth', () => {
    const depth = 5_000;
    const body = JSON.parse(`${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`);
    expect(findTextFaults(body)).toHaveLength(1);
  });

  it('stops at 20 faults', () => {
    const body = JSON.parse(`[${'"\\u0000",'.repeat(1_000)}{"a":"\\u0000"}]`);
    expect(findTextFaults(body).map(({ pointer }) => pointer)).toEqual(Array.from({ length: 20 }, (_, i) => `/${i}`));
  });

  it('needs no walk for bytes without escapes', () => {
    expect(mayHoldTextFaults(Buffer.from('{"a":"Zoë"}'))).toBe(false);
    expect(mayHoldTextFaults(Buffer.from('{"a":"\\u0000"}'))).toBe(true);
  });
});
