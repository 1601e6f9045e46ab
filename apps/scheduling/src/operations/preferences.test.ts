import { expect, it } from 'vitest';
import { parsePreferences } from './preferences.ts';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['maxpagesize=100', 100],
  ['odata.maxpagesize=7', 7],
  ['OData.MaxPageSize="25"', 25],
  ['respond-async, wait=10, maxpagesize = 3; foo=bar', 3],
  ['handling="a, maxpagesize=9", maxpagesize=4', 4],
  ['maxpagesize=2, maxpagesize=5', 2],
  ['maxpagesize=0', undefined],
  ['maxpagesize=-1', undefined],
  ['maxpagesize=many', undefined],
  ['maxpagesize', undefined],
  ['maxpagesize=99999999999', undefined],
  ['xmaxpagesize=3', undefined],
  ['"', undefined],
])('reads from %j a page size of %s', (header, size) => {
  expect(parsePreferences(header).pageSize).toBe(size);
});

it.each([
  ['track-changes', 'track-changes'],
  ['maxpagesize=5, OData.Track-Changes', 'odata.track-changes'],
  ['odata.track-changes, track-changes', 'odata.track-changes'],
  ['wait="track-changes"', undefined],
  ['no-track-changes', undefined],
])('reads from %j the wish to track changes as %s', (header, name) => {
  expect(parsePreferences(header).tracking).toBe(name);
});

it.each([
  ['continue-on-error=false', false],
  ['odata.continue-on-error="False"', false],
  ['continue-on-error', true],
  ['maxpagesize=5, continue-on-error=true, continue-on-error=false', true],
  ['continue-on-error=never', undefined],
  ['wait=10', undefined],
])('reads from %j whether a batch continues after an error as %s', (header, continues) => {
  expect(parsePreferences(header).continuesOnError).toBe(continues);
});
