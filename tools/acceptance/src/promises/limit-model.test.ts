import { expect, test } from 'vitest';
import { createLimitModel } from './limit-model.ts';

const limits = { default: 2 };

function response(status: number, left: number, seconds: number, more: Record<string, string> = {}, text = '') {
  const headers = { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: `"default";r=${left};t=${seconds}`, ...more };
  return { status, headers, text };
}
const rejection = (seconds: number, waitS: number, violated = ['default']) =>
  response(429, 0, seconds, { 'retry-after': String(waitS) }, JSON.stringify({ 'violated-policies': violated }));

function modelAfterTwo() {
  const model = createLimitModel();
  const at = (sentMs: number, reply: ReturnType<typeof response>) =>
    model.check({ sentMs, receivedMs: sentMs + 10, reply }, limits);
  return { at, faults: [at(0, response(200, 1, 60)), at(10_500, response(200, 0, 50))] };
}

test('accepts right headers, including those of a rejection and of the response after it', () => {
  const { at, faults } = modelAfterTwo();
  expect([...faults, at(20_500, rejection(40, 40)), at(60_500, response(200, 0, 10))]).toEqual([[], [], [], []]);
});

test.each([
  ['a remaining count that is too high', response(200, 1, 10), 60_500],
  ['a reset that is too early', rejection(10, 10), 20_500],
  ['a wrong Retry-After', rejection(40, 41), 20_500],
  ['a rejection by another policy', rejection(40, 40, ['other']), 20_500],
  ['another limit', response(200, 0, 10, { 'ratelimit-policy': '"default";q=3;w=60' }), 60_500],
  ['a Retry-After without a rejection', response(200, 0, 10, { 'retry-after': '1' }), 60_500],
])('reports %s', (_, reply, sentMs) => {
  const { at } = modelAfterTwo();
  expect(at(sentMs, reply)).toHaveLength(1);
});
