import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { compareVersions, mergeSets } from './assets/edit/compare-versions.js';
// @ts-expect-error: a script of the pages, without types.
import { factsOf } from './assets/edit/facts.js';
// @ts-expect-error: a script of the pages, without types.
import { placeFaults } from './assets/edit/fault-places.js';

const forever = '2100-01-01T00:00:00';
const tag = (Name: string, EffectiveFromDate: string) => ({
  Key: 1,
  Name,
  EffectiveFromDate,
  EffectiveToDate: forever,
});
const person = {
  StaffId: 'S-1',
  Fte: 0.8,
  Email: null,
  Manager: 'Aoife Byrne',
  ManagerId: 'S-7',
  LastModifiedDateUtc: '2026-01-01T00:00:00Z',
  Tags: [{ CategoryName: 'Team', Tags: [tag('Gold', '2024-01-01T00:00:00')] }],
  TTCMTags: [],
  Skillset: [{ TaskKey: 't', TaskName: 'ICU', IsSkilledMon: true, MonOccurrence: 'Weekly', IsSkilledTue: true }],
  Profiles: [{ ProfileKey: 'p', Name: 'Attending', IsViewable: true, IsSchedulable: false }],
  BadgeIds: [{ BadgeId: 'B-1', BadgeGroup: null }],
};
const payModifier = {
  ...{ PayModifierKey: 'k', PositionId: 'P-1', IsPrimaryPosition: true, IsHistoricAccessLocked: false },
  ...{ StartDate: null, EndDate: '2024-12-31T00:00:00', LocationTagKey: 31, TaskTagKey: 99 },
  PayModifierTagKeys: [
    { CategoryName: 'Grade', TagName: '2' },
    { CategoryName: 'Grade', TagName: '1' },
  ],
};
const listed = (facts: Map<string, { label: string; text: string }>) =>
  [...facts.values()].map(({ label, text }) => `${label} = ${text}`);

describe('factsOf', () => {
  it('names every value of a person, without the time of the change and values that are not set', () => {
    expect(listed(factsOf({ person }))).toEqual([
      'StaffId = S-1',
      'Fte = 0.8',
      'Manager = Aoife Byrne (S-7)',
      'Team: Gold = since 2024-01-01',
      'ICU, Mon = Weekly',
      'ICU, Tue = yes',
      'Profile Attending = can view',
      'Badge B-1 = yes',
    ]);
  });

  it('names the values of pay modifiers, with the names of tags that are known', () => {
    const facts = factsOf(
      { person: { ManagerId: null }, payModifiers: [payModifier] },
      new Map([[31, 'Region: North']]),
    );
    expect(listed(facts)).toEqual([
      'Pay modifier P-1: PositionId = P-1',
      'Pay modifier P-1: IsPrimaryPosition = yes',
      'Pay modifier P-1: EndDate = 2024-12-31',
      'Pay modifier P-1: IsHistoricAccessLocked = no',
      'Pay modifier P-1: LocationTag = Region: North',
      'Pay modifier P-1: TaskTag = tag 99',
      'Pay modifier P-1: Tags = Grade: 1, Grade: 2',
    ]);
  });
});

describe('compareVersions', () => {
  const facts = (entries: Record<string, string | undefined>) =>
    new Map(Object.entries(entries).map(([label, text]) => [label, { label, text }]));

  it('returns what the other person changed, added and removed, and what the reader wants', () => {
    const rows = compareVersions(
      facts({ same: '1', changed: '1', removed: '1', mine: '1', both: '1', agreed: '1' }),
      facts({ same: '1', changed: '2', added: '2', mine: '1', both: '2', agreed: '3' }),
      facts({ mine: '3', both: '3', agreed: '3', cleared: undefined }),
    );
    const summary = rows.map((row: Record<string, unknown>) => [row.label, row.before, row.now, row.yours, row.isBoth]);
    expect(summary).toEqual([
      ['both', '1', '2', '3', true],
      ['changed', '1', '2', undefined, false],
      ['removed', '1', undefined, undefined, false],
      ['mine', '1', '1', '3', false],
      ['agreed', '1', '3', '3', false],
      ['added', undefined, '2', undefined, false],
      ['cleared', undefined, undefined, undefined, false],
    ]);
  });

  it('is empty for equal versions without a change of the reader', () => {
    expect(compareVersions(factsOf({ person }), factsOf({ person }), new Map())).toEqual([]);
  });
});

it.each([
  { before: [1, 2], mine: [1, 2, 3], now: [1], merged: [1, 3] },
  { before: [1, 2], mine: [1], now: [1, 2, 4], merged: [1, 4] },
  { before: [1], mine: [1, 3], now: [1, 3], merged: [1, 3] },
  { before: [], mine: [], now: [5], merged: [5] },
])('mergeSets keeps additions and removals of both: $before → $mine and $now', ({ before, mine, now, merged }) => {
  expect(mergeSets(before, mine, now)).toEqual(merged);
});

it('placeFaults finds the field of each fault, also of one inside its value', () => {
  const errors = [
    { pointer: '/EndDate', detail: 'is before StartDate' },
    { pointer: '/PayModifierTags/0/TagKey', detail: 'is unknown' },
    { pointer: '/EndDateTime', detail: 'is no field' },
    { pointer: '', detail: 'is empty' },
    { header: 'If-Match', detail: 'is malformed' },
  ];
  const { placed, others } = placeFaults(errors, ['/StartDate', '/EndDate', '/PayModifierTags']);
  expect([...placed]).toEqual([
    ['/EndDate', ['is before StartDate']],
    ['/PayModifierTags', ['is unknown']],
  ]);
  expect(others).toEqual(errors.slice(2));
});
