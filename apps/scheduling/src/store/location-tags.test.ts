import { expect, it } from 'vitest';
import { applyTagPeriod } from './location-tags.ts';

/** `1 2010 2020` is the tag 1 from 2010 until 2020; `-` is null. */
const parse = (text: string) => {
  const [TagKey, from, to] = text.split(' ');
  const date = (year: string | undefined) => (year === '-' ? null : `${year}-01-01T00:00:00`);
  return { TagKey: Number(TagKey), EffectiveFromDate: date(from), EffectiveToDate: date(to) };
};
const write = ({ TagKey, EffectiveFromDate, EffectiveToDate }: ReturnType<typeof parse>) =>
  [TagKey, EffectiveFromDate?.slice(0, 4) ?? '-', EffectiveToDate?.slice(0, 4) ?? '-'].join(' ');

it.each<[string, string[], string, string[]]>([
  ['is alone', [], '1 2010', ['1 2010 2100']],
  ['follows', ['1 2010 2100'], '2 2020', ['1 2010 2020', '2 2020 2100']],
  ['goes before', ['1 2020 2100'], '2 2010', ['1 2020 2100', '2 2010 2020']],
  ['goes between', ['1 2010 2030', '2 2030 2100'], '3 2020', ['1 2010 2020', '2 2030 2100', '3 2020 2030']],
  ['replaces one with its start', ['1 2010 2020', '2 2020 2100'], '3 2020', ['1 2010 2020', '3 2020 2100']],
  ['stays', ['1 2010 2020', '2 2020 2100'], '2 2020', ['1 2010 2020', '2 2020 2100']],
  ['moves later', ['1 2010 2020', '2 2020 2100'], '2 2030', ['1 2010 2030', '2 2030 2100']],
  ['moves earlier', ['1 2010 2020', '2 2020 2100'], '2 2015', ['1 2010 2015', '2 2015 2100']],
  ['moves past another', ['1 2010 2020', '2 2020 2100'], '1 2030', ['2 2020 2030', '1 2030 2100']],
  ['leaves a gap that was there', ['1 2010 2012', '2 2020 2100'], '2 2030', ['1 2010 2012', '2 2030 2100']],
  ['ends one that has always been there and has no end', ['1 - -'], '2 2020', ['1 - 2020', '2 2020 2100']],
])('a tag that is set %s', (_, before, set, after) => {
  const { TagKey, EffectiveFromDate } = parse(`${set} -`);
  expect(applyTagPeriod(before.map(parse), TagKey, String(EffectiveFromDate)).map(write)).toEqual(after);
});
