import fc from 'fast-check';

const number: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('Fte', 'RegHours', 'DailyUnitAverage', 'Tags/$count', 'Skillset/$count', 'length(City)'),
  fc.constantFrom('year(StartDate)', 'indexof(LastName,City)', '-Fte', 'round(RegHours)'),
);
const constant = fc.constantFrom('0', '-0.0', '0.5', '1e300', '-1e300', '1e-300', 'null');
const condition = fc.oneof(
  fc.constantFrom('IsActive', 'Pager eq null', "City gt 'F'", 'Fte gt 0.5', "Tags/any(t:t/CategoryName eq 'Team')"),
  fc.tuple(number, fc.constantFrom('gt', 'le', 'ne'), number).map((parts) => parts.join(' ')),
);
const computed: fc.Arbitrary<string> = fc.oneof(
  number,
  fc.tuple(number, fc.constantFrom('add', 'sub', 'mul', 'div', 'mod'), number).map((parts) => `(${parts.join(' ')})`),
  fc
    .tuple(number, constant, constant)
    .map(([a, b, c]) => `(cast(${a},Edm.Double) mul ${b} mul ${c})`)
    .filter((text) => !text.includes('null')),
  fc
    .tuple(condition, fc.constantFrom('INF', '-INF', 'NaN'), number)
    .map(([test, infinite, other]) => `case(${test}:${infinite},true:${other})`),
);
const text = fc.oneof(
  fc.constantFrom('City', 'LastName', 'Pager', 'Manager', 'StartDate', 'LastModifiedDateUtc', 'CompKey'),
  fc.constantFrom('tolower(City)', 'concat(City,LastName)', 'substring(LastName,1)', 'date(StartDate)'),
  condition.map((test) => `case(${test}:City,true:Pager)`),
);

/** Texts of $orderby for people, with numbers and texts of every kind, null, infinities and NaN. */
export const randomOrder: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.oneof(computed, text, condition), fc.constantFrom('', ' desc')), { minLength: 1, maxLength: 3 })
  .map((terms) => terms.map((term) => term.join('')).join(','));
