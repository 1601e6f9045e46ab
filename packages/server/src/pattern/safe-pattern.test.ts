import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { analyzePattern } from './analyze-pattern.ts';
import { createSafePattern, isLinear, PatternTimeError, startPatternBudget } from './safe-pattern.ts';

const hostile = `${'a'.repeat(34)}!`;
const test = (source: string, text: string, flags = 'u') => {
  startPatternBudget();
  return createSafePattern(source, flags).test(text);
};

describe('a pattern that takes V8 exponential or polynomial time', () => {
  it.each([
    ['^(a+)+$', hostile],
    ['^(a|a)*$', hostile],
    ['^(a{1,32})+$', hostile],
    ['^(\\w+\\s?)*$', hostile],
    ['a+$', `${'a'.repeat(200_000)}!`],
    ['^\\s*(.*)\\s*=\\s*(.*)$', ' '.repeat(100_000)],
    ['^(a+)+$', `${'a'.repeat(200_000)}!`],
  ])('%s runs in linear time', (source, text) => {
    for (const flags of ['u', '', 'i']) {
      const run = () => expect(test(source, text, flags)).toBe(false);
      expect(leastCpuMs(run, { msMax: 1_000 })).toBeLessThan(1_000);
    }
  });

  it.each([
    ['^(?=a)(a+)+$', hostile],
    ['^(?:(a)\\1*)+$', hostile],
    ['^(?!x)\\s*\\s*\\s*x$', ' '.repeat(100_000)],
    ['^(a|b)*a(a|b){20}$', `${'ab'.repeat(500_000)}!`],
  ])('%s is stopped by its time limit where no linear engine supports it', (source, text) => {
    const run = () => {
      try {
        expect(test(source, text)).toBe(false);
      } catch (error) {
        expect(error).toBeInstanceOf(PatternTimeError);
      }
    };
    expect(leastCpuMs(run, { msMax: 1_000 })).toBeLessThan(1_000);
  });
});

it('shares one time limit between all texts of a validation', () => {
  const pattern = createSafePattern('^(?=a)(a+)+$', 'u');
  startPatternBudget();
  expect(() => pattern.test(hostile)).toThrow(PatternTimeError);
  startPatternBudget();
  expect(pattern.test('aaa')).toBe(true);
});

it.each([
  ['^[A-Z]{1,5}$', true],
  ['^\\d{4}-\\d\\d-\\d\\d$', true],
  ['^-?\\d+$', true],
  ['^(?:a|b)c$', true],
  ['\\d{3}', true],
  ['\\d+$', false],
  ['^(a+)+$', false],
  ['^[a-z]+(-[a-z]+)*$', false],
  ['^a{0,100}a{0,100}$', false],
  ['^(?!x)a$', false],
  ['^a|b+', false],
])('decides whether V8 runs %s in linear time: %s', (source, expected) => {
  expect(isLinear(analyzePattern(source))).toBe(expected);
});

it.each([
  ['[^]*[a]', 'a', 'u'],
  ['[^]*[a]', 'bbb', 'u'],
  ['a*b*[^]+[c]$', 'xyzc', 'u'],
  ['^(?s:.*x.*)$', 'a\nx', 'u'],
  ['a*b*\\Ax', 'Ax', ''],
  ['a*b*\\zx', 'zx', ''],
  ['a*b*\\a', 'a', ''],
  ['a*b*\\012', '\n', ''],
  ['^a*b*\\ud83d\\ude00$', '😀', 'u'],
  ['^a*b*[\\ud83d\\ude00]$', '😀', 'u'],
])('matches %s like ECMAScript for %j with the flags %j', (source, text, flags) => {
  expect(test(source, text, flags)).toBe(new RegExp(source, flags).test(text));
});

it('matches the same texts as RegExp in every engine', () => {
  const atom = fc.constantFrom(
    ...['a', 'b', '.', '\\s', '\\S', '\\d', '\\w', '\\W', '[a-c]', '[^a\\s]', '[\\S]', '[\\s\\d-]', '\\u00e9', '\\/'],
    ...['\\p{L}', '\\P{L}', '\\u{1F600}', '[[]', '[:a]', '\\b', '\\x41', '\\.', '[\\]\\\\]', '\\t', '\\0', '\\-'],
    ...[
      '[^]',
      '[]',
      '(?s:.)',
      '(?i:B)',
      '(?m:^b)',
      '\\ud83d\\ude00',
      '[\\ud83d\\ude00]',
      '\\ud83d',
      '\\u{d83d}',
      '\ud83d',
    ],
    ...[
      '\\A',
      '\\z',
      '\\a',
      '\\012',
      '\\01',
      '\\C',
      '\\Q',
      '\\E',
      '\\e',
      '\\_',
      '\\cA',
      '[\\0-\\x1f]',
      '[\\B]',
      '\\x4',
    ],
  );
  const quantifier = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '*?', '{2,}');
  const source = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(atom, quantifier).map(([a, q]) => (a === '\\b' ? a : a + q)),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie('pattern'), quantifier).map(([a, q]) => `(${a})${q}`),
      tie('pattern').map((a) => `^${a}$`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?=${a})${b}`),
    ),
  })).pattern;
  const char = fc.constantFrom(
    ...('abcAzQ1 -/\\]:[.\n\r\t\u00a0\u2028\ufeffé😀\0\x07\x08\x01'.match(/[\s\S]/gu) as string[]),
  );
  fc.assert(
    fc.property(source, fc.array(char, { maxLength: 6 }), fc.constantFrom('u', '', 'i', 'iu'), (s, chars, flags) => {
      let expected: boolean;
      try {
        expected = new RegExp(s, flags).test(chars.join(''));
      } catch {
        return;
      }
      expect([s, flags, test(s, chars.join(''), flags)]).toEqual([s, flags, expected]);
    }),
    { numRuns: 6_000 },
  );
});
