import { expect, test } from 'vitest';
import { createLimitModel } from './limit-model.ts';

const limits = { default: 2 };

function answer(status: number, left: number, seconds: number, more: Record<string, string> = {}, text = '') {
  const headers = { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: `"default";r=${left};t=${seconds}`, ...more };
  return { status, headers, text };
}
const refusal = (seconds: number, waitS: number, violated = ['default']) =>
  answer(429, 0, seconds, { 'retry-after': String(waitS) }, JSON.stringify({ 'violated-policies': violated }));

function modelAfterTwo() {
  const model = createLimitModel();
  const at = (sentMs: number, reply: ReturnType<typeof answer>) =>
    model.check({ sentMs, receivedMs: sentMs + 10, reply }, limits);
  return { at, told: [at(0, answer(200, 1, 60)), at(10_500, answer(200, 0, 50))] };
}

test('finds nothing wrong with headers that tell the truth, a refusal and what follows it included', () => {
  const { at, told } = modelAfterTwo();
  expect([...told, at(20_500, refusal(40, 40)), at(60_500, answer(200, 0, 10))]).toEqual([[], [], [], []]);
});

test.each([
  ['more left than there is', answer(200, 1, 10), 60_500],
  ['a time that is too early', refusal(10, 10), 20_500],
  ['another time to come back', refusal(40, 41), 20_500],
  ['a refusal by another policy', refusal(40, 40, ['other']), 20_500],
  ['another limit', answer(200, 0, 10, { 'ratelimit-policy': '"default";q=3;w=60' }), 60_500],
  ['a time to come back where nothing was refused', answer(200, 0, 10, { 'retry-after': '1' }), 60_500],
])('finds %s', (_, reply, sentMs) => {
  const { at } = modelAfterTwo();
  expect(at(sentMs, reply)).toHaveLength(1);
});
