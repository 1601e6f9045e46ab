import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createIssuedTokens } from './issued-tokens.ts';

function setUp(tokensPerKeyMax?: number) {
  const time = { nowMs: 0 };
  const tokens = createIssuedTokens({
    clock: () => time.nowMs,
    randomBytes,
    ...(tokensPerKeyMax === undefined ? {} : { tokensPerKeyMax }),
  });
  return { time, tokens };
}

describe('an issued token', () => {
  test('leads to the key that asked for it until it expires', () => {
    const { time, tokens } = setUp();
    const token = tokens.issue('key-a', 60);
    time.nowMs = 59_999;
    expect(tokens.find(token)).toMatchObject({ keySha256: 'key-a' });
    time.nowMs = 60_000;
    expect(tokens.find(token)).toBe('expired');
  });

  test('is never the same twice', () => {
    const { tokens } = setUp();
    expect(tokens.issue('key-a', 60)).not.toBe(tokens.issue('key-a', 60));
  });

  test('is unknown when nobody issued it', () => {
    expect(setUp().tokens.find('made-up')).toBeUndefined();
  });

  test('is forgotten one lifetime after it expired', () => {
    const { time, tokens } = setUp();
    const token = tokens.issue('key-a', 60);
    time.nowMs = 120_000;
    tokens.issue('key-b', 60);
    expect(tokens.find(token)).toBeUndefined();
  });

  test('ends the oldest of its own key when there are too many, and nobody else’s', () => {
    const { tokens } = setUp(2);
    const other = tokens.issue('key-b', 60);
    const [first, second, third] = [1, 2, 3].map(() => tokens.issue('key-a', 60)) as [string, string, string];
    expect(tokens.find(first)).toBeUndefined();
    expect([second, third, other].map((token) => typeof tokens.find(token))).toEqual(['object', 'object', 'object']);
  });

  test('lives as long as was said when it was given, whatever is said later', () => {
    const { time, tokens } = setUp();
    const [long, short] = [tokens.issue('key-a', 60), tokens.issue('key-a', 10)];
    time.nowMs = 10_000;
    expect([tokens.find(long), tokens.find(short)]).toEqual([
      expect.objectContaining({ keySha256: 'key-a' }),
      'expired',
    ]);
  });

  test('goes with its key, and does not come back with it', () => {
    const { tokens } = setUp();
    const [gone, kept] = [tokens.issue('key-a', 60), tokens.issue('key-b', 60)];
    tokens.keepOnly(new Set(['key-b']));
    tokens.keepOnly(new Set(['key-a', 'key-b']));
    expect([tokens.find(gone), tokens.find(kept)]).toEqual([
      undefined,
      expect.objectContaining({ keySha256: 'key-b' }),
    ]);
    expect(tokens.find(tokens.issue('key-a', 60))).toBeDefined();
  });
});
