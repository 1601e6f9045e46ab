import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createIssuedTokens } from './issued-tokens.ts';

function setUp(tokensPerKeyMax?: number) {
  const time = { nowMs: 0 };
  const tokens = createIssuedTokens({
    clock: () => time.nowMs,
    randomBytes,
    lifetimeS: 60,
    ...(tokensPerKeyMax === undefined ? {} : { tokensPerKeyMax }),
  });
  return { time, tokens };
}

describe('an issued token', () => {
  test('leads to the key that asked for it until it expires', () => {
    const { time, tokens } = setUp();
    const { token, lifetimeS } = tokens.issue('key-a');
    expect(lifetimeS).toBe(60);
    time.nowMs = 59_999;
    expect(tokens.find(token)).toMatchObject({ keySha256: 'key-a' });
    time.nowMs = 60_000;
    expect(tokens.find(token)).toBe('expired');
  });

  test('is never the same twice', () => {
    const { tokens } = setUp();
    expect(tokens.issue('key-a').token).not.toBe(tokens.issue('key-a').token);
  });

  test('is unknown when nobody issued it', () => {
    expect(setUp().tokens.find('made-up')).toBeUndefined();
  });

  test('is forgotten one lifetime after it expired', () => {
    const { time, tokens } = setUp();
    const { token } = tokens.issue('key-a');
    time.nowMs = 120_000;
    tokens.issue('key-b');
    expect(tokens.find(token)).toBeUndefined();
  });

  test('ends the oldest of its own key when there are too many, and nobody else’s', () => {
    const { tokens } = setUp(2);
    const other = tokens.issue('key-b').token;
    const [first, second, third] = [1, 2, 3].map(() => tokens.issue('key-a').token) as [string, string, string];
    expect(tokens.find(first)).toBeUndefined();
    expect([second, third, other].map((token) => typeof tokens.find(token))).toEqual(['object', 'object', 'object']);
  });
});
