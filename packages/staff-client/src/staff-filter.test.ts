import { expect, it } from 'vitest';
import { staffFilter } from './index.ts';

it.each([
  ['doubles quotes', staffFilter((s) => s.LastName.eq("O'Neil's")), "LastName eq 'O''Neil''s'"],
  ['leaves all else in a text as it is', staffFilter((s) => s.City.ne('a b,(c)&%27+"')), "City ne 'a b,(c)&%27+\"'"],
  ['has null', staffFilter((s) => s.Npi.eq(null)), 'Npi eq null'],
  [
    'compares numbers',
    staffFilter((s) => s.Fte.gt(-0.5).and(s.RegHours.le(1e21))),
    'Fte gt -0.5 and RegHours le 1e+21',
  ],
  [
    'writes infinity as OData does',
    staffFilter((s) => s.Fte.lt(-Infinity).or(s.Fte.eq(NaN))),
    'Fte lt -INF or Fte eq NaN',
  ],
  [
    'takes flags for conditions',
    staffFilter((s) => s.IsActive.and(s.IsAutoApproveSwap.not())),
    'IsActive and not (IsAutoApproveSwap)',
  ],
  ['compares flags', staffFilter((s) => s.IsActive.eq(false)), 'IsActive eq false'],
  ['writes a Date in UTC', staffFilter((s) => s.StartDate.ge(new Date(0))), 'StartDate ge 1970-01-01T00:00:00.000Z'],
  [
    'reads a date text as in responses as UTC',
    staffFilter((s) => s.EndDate.lt('2100-01-01T00:00:00')),
    'EndDate lt 2100-01-01T00:00:00Z',
  ],
  [
    'takes a day for its midnight',
    staffFilter((s) => s.LastModifiedDateUtc.gt('2026-11-21')),
    'LastModifiedDateUtc gt 2026-11-21T00:00:00Z',
  ],
  [
    'minds the offset of a date text',
    staffFilter((s) => s.StartDate.eq('2026-01-01T00:30:00+01:00')),
    'StartDate eq 2026-01-01T00:30:00+01:00',
  ],
  [
    'does not change a text that looks like another literal, also within a function',
    staffFilter((s) => s.LastName.eq(s.City.concat('Infinity'))),
    "LastName eq concat(City,'Infinity')",
  ],
  [
    'writes every digit of a date text',
    staffFilter((s) => s.LastModifiedDateUtc.gt('2026-11-21T10:00:00.1234567')),
    'LastModifiedDateUtc gt 2026-11-21T10:00:00.1234567Z',
  ],
  ['takes one of many', staffFilter((s) => s.StaffId.in(["a'b", 'c', null])), "StaffId in ('a''b','c',null)"],
  ['takes one empty text', staffFilter((s) => s.StaffId.in([''])), "StaffId in ('')"],
  ['is never one of none', staffFilter((s) => s.StaffId.in([])), 'false'],
  ['takes dates of many', staffFilter((s) => s.StartDate.in(['2026-01-01'])), 'StartDate in (2026-01-01T00:00:00Z)'],
  ['compares two fields', staffFilter((s) => s.StartDate.lt(s.EndDate)), 'StartDate lt EndDate'],
  ['computes', staffFilter((s) => s.RegHours.mul(2).add(s.Fte).gt(80)), '((RegHours mul 2) add Fte) gt 80'],
  [
    'calls functions',
    staffFilter((s) => s.LastName.toLower().trim().concat('x').contains('ab')),
    "contains(concat(trim(tolower(LastName)),'x'),'ab')",
  ],
  [
    'calls functions of numbers and dates',
    staffFilter((s) => s.Fte.round().eq(s.StartDate.month())),
    'round(Fte) eq month(StartDate)',
  ],
  [
    'takes parts of texts',
    staffFilter((s) => s.Zip.substring(0, 2).eq('10').and(s.Zip.length().eq(5))),
    "substring(Zip,0,2) eq '10' and length(Zip) eq 5",
  ],
  [
    'compares what a function of a date gives with numbers',
    staffFilter((s) => s.StartDate.year().eq(2026)),
    'year(StartDate) eq 2026',
  ],
  [
    'writes or within and in parentheses',
    staffFilter((s) => s.IsActive.or(s.Npi.eq('1')).and(s.Fte.eq(1))),
    "(IsActive or Npi eq '1') and Fte eq 1",
  ],
  [
    'writes or after and in parentheses',
    staffFilter((s) => s.Fte.eq(1).and(s.IsActive.or(s.Npi.eq('1')))),
    "Fte eq 1 and (IsActive or Npi eq '1')",
  ],
  [
    'joins many',
    staffFilter((s) => s.Fte.eq(1).or(s.Fte.eq(2), s.Fte.eq(3).and(s.IsActive))),
    'Fte eq 1 or Fte eq 2 or Fte eq 3 and IsActive',
  ],
  ['negates what is joined', staffFilter((s) => s.IsActive.or(s.Fte.eq(1)).not()), 'not (IsActive or Fte eq 1)'],
  ['asks whether there are any', staffFilter((s) => s.Profiles.any()), 'Profiles/any()'],
  [
    'goes over collections within each other, each with a name of its own',
    staffFilter((s) =>
      s.Tags.any((c) => c.CategoryName.eq('A').and(c.Tags.all((t) => t.Key.gt(c.CategoryKey).and(t.Name.ne(s.City))))),
    ),
    "Tags/any(x1:x1/CategoryName eq 'A' and x1/Tags/all(x2:x2/Key gt x1/CategoryKey and x2/Name ne City))",
  ],
  [
    'goes over two collections side by side',
    staffFilter((s) => s.Tags.any((t) => t.CategoryKey.eq(3)).or(s.Skillset.any((k) => k.IsSkilledMon))),
    'Tags/any(x1:x1/CategoryKey eq 3) or Skillset/any(x1:x1/IsSkilledMon)',
  ],
])('%s', (_, filter, want) => {
  expect(String(filter)).toBe(want);
});

it.each(["x' or true or 'x", '21 Nov 2026', '2026-11-21T10:00 or true', ''])(
  'throws for %j, which is not a date',
  (text) => {
    expect(() => staffFilter((s) => s.StartDate.eq(text))).toThrow(RangeError);
  },
);

it('returns a condition unchanged', () => {
  const filter = staffFilter((s) => s.IsActive);
  expect(staffFilter(filter)).toBe(filter);
});
