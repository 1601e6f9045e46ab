import { expect, it } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { fragmentOf, noFilter, viewOf } from './assets/roster-address.js';

const usual = {
  ...noFilter,
  order: 'name',
  isDescending: false,
  part: 0,
  size: 25,
  person: undefined,
  companyKey: '',
};

it('is empty for the usual view', () => {
  expect(fragmentOf(usual)).toBe('');
  expect(viewOf('')).toEqual(usual);
});

it.each([
  { text: "o'neil & söhne #1" },
  { tag: ['Team'] },
  { tag: ['Team', 'A+B=C'] },
  { skill: 'OR 1', day: 'Sat', isActive: true },
  { own: "Fte lt 1 and LastName ne '&'" },
  { order: 'fte', isDescending: true, part: 3, size: 100, person: 'a/b c', companyKey: 'my company' },
])('returns the view of which it was made: %j', (change) => {
  const view = { ...usual, ...change };
  expect(viewOf(`#${fragmentOf(view)}`)).toEqual(view);
});

it.each(['order=__proto__', 'order=toString', 'page=-1', 'page=1.5', 'page=x', 'size=7', 'day=Someday', 'tag'])(
  'ignores what it does not know: %s',
  (fragment) => {
    expect(viewOf(`#${fragment}`)).toEqual(usual);
  },
);

it('limits text and page', () => {
  const view = viewOf(`#text=${'x'.repeat(500)}&page=1e300`);
  expect(view.text).toHaveLength(100);
  expect(view.part).toBeLessThan(1e6);
});
