import { expect, it } from 'vitest';
import { toFiniteJson } from './finite-json.ts';

it.each(['1e400', '-1e400', '{"a":[1,{"b":1e400}]}'])('returns no text for %s', (json) => {
  expect(toFiniteJson(JSON.parse(json))).toBeUndefined();
});

it.each(['null', '1e308', '"1e400"', '{"a":[1,{"b":null}]}'])('returns the text of %s', (json) => {
  expect(JSON.parse(toFiniteJson(JSON.parse(json)) as string)).toEqual(JSON.parse(json));
});
