import { expect, it } from 'vitest';
import { createCheckedBytes } from './checked-bytes.ts';

const pass = (text: string, type = 'application/json') => {
  const { bytes, mediaType } = createCheckedBytes(Buffer.from(text), type);
  return [Buffer.from(bytes).toString(), mediaType];
};

it.each([
  ['{"a": 1, "a": 2}', '{"a":2}'],
  ['[12345678901234567890, 1.0, 1e2, 0.10, -0, 1E400]', '[12345678901234567890,1.0,1e2,0.10,-0,1E400]'],
  ['{"__proto__": {"x": 1}, "ü": "\\u00fc"}', '{"__proto__":{"x":1},"ü":"ü"}'],
  ['\uFEFF null', 'null'],
  ['"text"', '"text"'],
])('passes %s on as %s: what was checked, its numbers as they were written', (given, passed) => {
  expect(pass(given)).toEqual([passed, 'application/json']);
});

it('passes on as it is what is no JSON', () => {
  expect(pass('a=1&a=2', 'application/x-www-form-urlencoded')).toEqual(['a=1&a=2', undefined]);
});

it('tells the media type without the parameters that no longer hold', () => {
  expect(pass('{}', 'Application/Merge-Patch+JSON; charset="UTF-8"; x=1')).toEqual([
    '{}',
    'application/merge-patch+json',
  ]);
  expect(() => pass('{}', 'application/json; charset=utf-16')).toThrow(expect.objectContaining({ status: 415 }));
});
