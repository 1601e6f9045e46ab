import { describe, expect, it } from 'vitest';
import {
  managerWrite,
  payModifierRemoval,
  payModifierWrite,
  skillRemoval,
  skillWrite,
  tagWrite,
  // @ts-expect-error: a script of the pages, without types.
} from './assets/edit/writes.js';

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly sets: Map<string, { label: string; text: string | undefined }>;
}

const sent = ({ method, path, body }: Write) => [method, path, body];
const settings = ({ sets }: Write) => [...sets.values()].map(({ label, text }) => `${label} = ${text}`);

it('tagWrite names the tag and its date, and leaves today to the server', () => {
  const tag = { category: 'Team', name: 'Gold' };
  expect(sent(tagWrite({ ...tag, from: '' }))).toEqual(['POST', '/tag', tag]);
  const dated = tagWrite({ ...tag, from: '2024-05-01' });
  expect(sent(dated)).toEqual(['POST', '/tag', { ...tag, effectiveDate: '2024-05-01' }]);
  expect(settings(dated)).toEqual(['Team: Gold = since 2024-05-01']);
});

it('managerWrite sets, clears, or does nothing', () => {
  expect(managerWrite({ ManagerId: 'S-7' }, 'S-7')).toBeUndefined();
  expect(managerWrite({ ManagerId: null }, '')).toBeUndefined();
  expect(sent(managerWrite({ ManagerId: null }, 'S-7'))).toEqual(['POST', '/manager', { ManagerId: 'S-7' }]);
  const cleared = managerWrite({ ManagerId: 'S-7' }, '');
  expect([...sent(cleared), settings(cleared)]).toEqual([
    'POST',
    '/manager',
    { IsClearManagerId: true },
    ['Manager = undefined'],
  ]);
});

describe('skillWrite', () => {
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const none = Object.fromEntries(days.map((day) => [day, { isSkilled: false, often: '' }]));
  const skill = {
    ...{ TaskKey: 'a/b', TaskName: 'ICU' },
    ...Object.fromEntries(
      days.flatMap((day) => [
        [`IsSkilled${day}`, false],
        [`${day}Occurrence`, null],
      ]),
    ),
    ...{ IsSkilledMon: true, MonOccurrence: 'Weekly', IsSkilledTue: true },
  };
  const shown = { ...none, Mon: { isSkilled: true, often: 'Weekly' }, Tue: { isSkilled: true, often: '' } };

  it('sends only the days that differ, and clears the frequency of a day that is removed', () => {
    expect(skillWrite(skill, shown)).toBeUndefined();
    const write = skillWrite(skill, {
      ...shown,
      Mon: { isSkilled: false, often: 'Weekly' },
      Sat: { isSkilled: true, often: '' },
    });
    expect(sent(write)).toEqual([
      'PUT',
      '/skillset/a%2Fb',
      { IsSkilledMon: false, MonOccurrence: null, IsSkilledSat: true },
    ]);
    expect(settings(write)).toEqual(['ICU, Mon = undefined', 'ICU, Sat = yes']);
  });

  it('leaves the frequency of a day that stays without the skill', () => {
    const paused = { ...skill, WedOccurrence: 'Biweekly' };
    const form = { ...shown, Wed: { isSkilled: false, often: 'Biweekly' } };
    expect(skillWrite(paused, form)).toBeUndefined();
    const write = skillWrite(paused, { ...form, Sat: { isSkilled: true, often: '' } });
    expect(sent(write)[2]).toEqual({ IsSkilledSat: true });
    const resumed = skillWrite(paused, { ...form, Wed: { isSkilled: true, often: 'Biweekly' } });
    expect([sent(resumed)[2], settings(resumed)]).toEqual([{ IsSkilledWed: true }, ['ICU, Wed = Biweekly']]);
  });

  it('adds a skill, also without a day', () => {
    const task = { TaskKey: 't', TaskName: 'OR' };
    expect(sent(skillWrite(task, { ...none, Fri: { isSkilled: true, often: 'Biweekly' } }))).toEqual([
      'PUT',
      '/skillset/t',
      { IsSkilledFri: true, FriOccurrence: 'Biweekly' },
    ]);
    const write = skillWrite(task, none);
    expect([sent(write)[2], settings(write)]).toEqual([{ IsSkilledMon: false }, ['OR, no day = yes']]);
  });

  it('is undone by skillRemoval', () => {
    const write = skillRemoval(skill);
    expect([...sent(write), settings(write)]).toEqual([
      'DELETE',
      '/skillset/a%2Fb',
      undefined,
      ['ICU, Mon = undefined', 'ICU, Tue = undefined'],
    ]);
  });
});

describe('payModifierWrite', () => {
  const tags = new Map([1, 2, 3].map((key) => [key, { key, categoryKey: 9, category: 'Grade', name: String(key) }]));
  const empty = {
    ...{ PositionId: null, IsPrimaryPosition: false, StartDate: null, EndDate: null, IsHistoricAccessLocked: false },
    ...{ LocationTag: undefined, TaskTag: undefined, Tags: [] },
  };
  const tagOf = (TagKey: number) => ({ CategoryKey: 9, CategoryName: 'Grade', TagKey, TagName: String(TagKey) });
  const stored = {
    PayModifierKey: 'k 1',
    PositionId: 'P-1',
    LocationTagKey: null,
    TaskTagKey: null,
    PayModifierTagKeys: [tagOf(1)],
  };

  it('creates with the values that are set', () => {
    const form = { ...empty, PositionId: 'P-2', StartDate: '2024-01-01T00:00:00', LocationTag: tags.get(2), Tags: [1] };
    expect(sent(payModifierWrite(undefined, empty, form, tags))).toEqual([
      'POST',
      '/payModifier',
      {
        ...{
          PositionId: 'P-2',
          IsPrimaryPosition: false,
          StartDate: '2024-01-01T00:00:00',
          IsHistoricAccessLocked: false,
        },
        ...{ LocationTagCategory: 'Grade', LocationTagName: '2' },
        PayModifierTags: [{ CategoryKey: 9, TagKey: 1 }],
      },
    ]);
  });

  it('sends only what the reader has changed, and null for what is cleared', () => {
    const before = { ...empty, PositionId: 'P-1', EndDate: '2024-12-31T00:00:00', TaskTag: tags.get(3), Tags: [1] };
    expect(payModifierWrite(stored, before, { ...before }, tags)).toBeUndefined();
    const write = payModifierWrite(stored, before, { ...before, EndDate: null, TaskTag: undefined }, tags);
    expect(sent(write)).toEqual([
      'PUT',
      '/payModifier/k%201',
      { EndDate: null, TaskTagCategory: null, TaskTagName: null },
    ]);
    expect(settings(write)).toEqual(['Pay modifier P-1: EndDate = undefined', 'Pay modifier P-1: TaskTag = undefined']);
  });

  it('adds its tags to those of a newer version', () => {
    const newer = { ...stored, PayModifierTagKeys: [tagOf(1), tagOf(2)] };
    const before = { ...empty, Tags: [1] };
    const write = payModifierWrite(newer, before, { ...before, Tags: [3] }, tags);
    expect(sent(write)[2]).toEqual({ PayModifierTags: [2, 3].map((TagKey) => ({ CategoryKey: 9, TagKey })) });
    expect(settings(write)).toEqual(['Pay modifier P-1: Tags = Grade: 2, Grade: 3']);
  });

  it('keeps a tag of a newer version that the choices lack', () => {
    const newer = { ...stored, PayModifierTagKeys: [tagOf(1), tagOf(8)] };
    const write = payModifierWrite(newer, { ...empty, Tags: [1] }, { ...empty, Tags: [] }, tags);
    expect(sent(write)[2]).toEqual({ PayModifierTags: [{ CategoryKey: 9, TagKey: 8 }] });
    expect(settings(write)).toEqual(['Pay modifier P-1: Tags = Grade: 8']);
  });

  it('is undone by payModifierRemoval', () => {
    const write = payModifierRemoval(
      { ...stored, IsPrimaryPosition: true, StartDate: null, EndDate: null, IsHistoricAccessLocked: false },
      new Map(),
    );
    expect(sent(write)).toEqual(['DELETE', '/payModifier/k%201', undefined]);
    expect(settings(write).every((text) => text.endsWith('= undefined'))).toBe(true);
  });
});
