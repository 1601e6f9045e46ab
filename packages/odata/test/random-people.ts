import fc from 'fast-check';
import type { Person } from './people.ts';

export const split = (texts: string): string[] => texts.split(' ');

/** Values come from small pools, so that comparisons match. Some strings are unusual. */
const texts = [
  ...['', ' ', '\t', '\n', ' x ', '\u00a0x\u2003', '\ufeffx', '\u0085', '\u180e', '\u200b', 'x'.repeat(300)],
  ...split(
    `a A ab Ab b O'Brien '' " \\ \\\\ % _ a%b a_b %25 [a] * ? Smith null true 0 1e1 & + ; # = -- /* $1 ?1 :a @p`,
  ),
  ...split(`Ö ö O\u0308 ß SS ss straße STRASSE İ i\u0307 ı I ΣΑΣ σας Ǆ ǆ ﬁ ŉ ΐ ſ \u212a \u212b Å é e\u0301 日本`),
  ...split(`😀 😀a a😀 👨\u200d👩 \ud83d\ude00\u0301 \ue000 \uffee \uffff \u{10000} \u{10ffff} 𐐀 𐐨`),
  ...['ΑΣ Σ', '__proto__', 'constructor'],
];
export const moments = [
  ...split('2024-01-01T00:00:00 2024-01-01T00:00:00.5 2024-01-01T00:00:00.05 2024-01-01T00:00:00.000000000001'),
  ...split('2023-12-31T23:59:59 2024-02-29T12:30:15 2024-01-01T00:00:01 2024-01-01T14:00:00 1900-02-28T23:59:59.9'),
  ...split('0001-01-01T00:00:00 0001-01-01T00:00:00.001 9999-12-31T23:59:59 9999-12-31T23:59:59.999999999999'),
  ...split('1969-12-31T23:59:59.999 1970-01-01T00:00:00'),
];
export const dates = ['2024-01-01', '2023-12-31', '2024-02-29', '1900-02-28', '0001-01-01', '9999-12-31'];
export const times = ['00:00:00', '23:59:59', '23:59:59.999999999999', '12:30:00', '12:30:00.25', '09:05:07'];
export const guids = ['11111111-2222-3333-4444-555555555555', 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee'];
export const durations = [
  "duration'P1D'",
  "duration'PT24H'",
  "duration'-PT0.5S'",
  "duration'P0D'",
  "duration'P99999DT1M'",
];

export const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).filter((s) => !s.includes('\0')) },
);
export const whole = fc.constantFrom(0, 1, -1, 2, 3, 5, 7, -8, 10, 100, 2_147_483_647, -2_147_483_648);
export const serial = fc.constantFrom<(number | bigint)[]>(
  ...[0, 1, -1, 2 ** 53 - 1, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)],
);
export const double = fc.constantFrom(
  ...[0, -0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 0.2, 0.3, 1, 2, 1e10, 3.14, -7.25, 1 / 3, 0.49999999999999994],
  ...[1e308, -1e308, 5e-324, 1e-7, 2 ** 52 + 1, 2 ** 53, 123456789.12345679],
);
/** Numbers as text. Some are outside the range of their type. */
export const extremes = [
  ...split('INF -INF NaN -0 -0.0 +1 0007 1e400 -1e400 1e-400 1E308 0.1e1 2.5 -2.5 9007199254740991 9007199254740992'),
  ...split('9007199254740993 -9007199254740993 9007199254740992.0 2147483648 9223372036854775807 9223372036854775808'),
  ...split('-9223372036854775808 -9223372036854775809 1e19 9.3e18 12345678901234567890123'),
  ...[`0.${'1'.repeat(60)}`, '9'.repeat(400), '3.14159265358979323846264338327950288'],
];
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null, freq: 4 });

const person = fc.record({
  Name: orNull(text),
  Note: orNull(text),
  Age: orNull(whole),
  Serial: orNull(serial),
  Score: orNull(double),
  Ratio: orNull(double),
  Active: orNull(fc.boolean()),
  Born: orNull(fc.constantFrom(...dates)),
  Seen: orNull(fc.constantFrom(...moments)),
  Shift: orNull(fc.constantFrom(...times)),
  Badge: orNull(fc.constantFrom(...guids)),
  Address: fc.record({ City: orNull(text), Floor: orNull(whole) }),
  Emails: fc.array(orNull(text), { maxLength: 3 }),
  Groups: fc.array(
    fc.record({
      Name: orNull(text),
      Weight: orNull(whole),
      Tags: fc.array(fc.record({ Label: orNull(text), Since: orNull(fc.constantFrom(...moments)) }), { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
});

export const population: fc.Arbitrary<Person[]> = fc
  .array(person, { minLength: 40, maxLength: 40 })
  .map((rows) => rows.map((row, i) => ({ Key: `k${String(i).padStart(3, '0')}`, ...row })));

/** Numbers near the overflow and underflow of doubles. */
const extremeNumber: fc.Arbitrary<number | null> = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom(null, 0, 1, -1, 1 - 2 ** -53, 1 + 2 ** -52, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324),
  fc
    .tuple(
      fc.constantFrom(-1074, -1073, -1023, -1022, -538, -537, -536, -512, -52, -51, 511, 512, 970, 971, 1022, 1023),
      fc.constantFrom(1, -1, 1 - 2 ** -53, 1 + 2 ** -52, -(1 + 2 ** -52), 1.5, 1.75),
    )
    .map(([exponent, factor]) => factor * 2 ** exponent),
);

/** Two numbers whose product or quotient is near half of the smallest double, or near the largest. */
const closePair: fc.Arbitrary<[number, number]> = fc
  .record({
    bits: fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }),
    steps: fc.integer({ min: -2, max: 2 }),
    shift: fc.integer({ min: 60, max: 1_000 }),
    kind: fc.constantFrom('product', 'largest product', 'quotient', 'largest quotient'),
  })
  .map(({ bits, steps, shift, kind }) => {
    const other = (2 / bits) * (1 + steps * 2 ** -52);
    if (kind === 'product') return [bits * 2 ** -shift, other * 2 ** (shift - 1076)];
    if (kind === 'largest product') return [bits * 2 ** shift, other * 2 ** (1023 - shift)];
    const near = bits * (1 + steps * 2 ** -52);
    return kind === 'quotient'
      ? [near * 2 ** (shift - 1075), bits * 2 ** shift]
      : [near * 2 ** (1023 - shift), bits * 2 ** -(shift + 1)];
  });

/** Pairs of numbers whose arithmetic reaches the limits of doubles. */
export const extremePair: fc.Arbitrary<[number | null, number | null]> = fc.oneof(
  fc.tuple(extremeNumber, extremeNumber),
  closePair,
);

/** Creates a person with two numbers and no other values. */
export const createPerson = (number: number, Score: number | null, Ratio: number | null): Person => ({
  ...{ Key: `k${String(number).padStart(3, '0')}`, Score, Ratio, Name: null, Note: null, Age: null, Serial: null },
  ...{ Active: null, Born: null, Seen: null, Shift: null, Badge: null, Address: { City: null, Floor: null } },
  ...{ Emails: [], Groups: [] },
});
