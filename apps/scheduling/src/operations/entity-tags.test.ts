import { document } from '@rostergate/staff-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { hasVersion, parseEntityTags, strongTags } from './entity-tags.ts';

const parse = (text: string) => parseEntityTags({ 'if-match': text }, 'If-Match');
const strong = (text: string) => strongTags(parse(text) ?? []);

describe('a list of entity tags', () => {
  it.each<[string, '*' | string[]]>([
    ['"7"', ['7']],
    ['"7","8"', ['7', '8']],
    [' "7"\t, ,"8" ,', ['7', '8']],
    ['"a,b"', ['a,b']],
    ['""', ['']],
    ['*', '*'],
    [' * ', '*'],
    ['W/"7"', []],
    ['W/"7", "8"', ['8']],
  ])('%s: strong tags are %j', (text, tags) => {
    expect(strong(text)).toEqual(tags);
  });

  it.each(['', ' ', ',', '7', '"7', '7"', '"7" "8"', 'w/"7"', 'W/ "7"', '*, "7"', '"7", *', '"a b"', '"7"x', "'7'"])(
    '%j is rejected, and the header is named',
    (text) => {
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ status: 400, errors: [expect.objectContaining({ header: 'If-Match' })] }) as Error,
      );
    },
  );

  it.each(['IfMatch', 'IfNoneMatch'])('matches exactly what the contract allows for %s', (name) => {
    const parameter = document.components?.parameters?.[name] as { schema: { pattern: string } };
    const pattern = new RegExp(parameter.schema.pattern, 'u');
    const piece = fc.constantFrom('"', '"7"', 'W/', '*', ',', ' ', '\t', 'a', '\\', '\xe9', '\x7f', '"a,b"', 'W/"é"');
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const isParsed = (given: string) => {
      try {
        return parse(given) !== undefined;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(text, (given) => {
        // HTTP parsers remove the space around a header.
        expect(pattern.test(given.trim())).toBe(isParsed(given.trim()));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is undefined when the header is missing', () => {
    expect(parseEntityTags({}, 'If-Match')).toBeUndefined();
  });

  it('is parsed in linear time', () => {
    for (const hostile of [`${'"7",'.repeat(20_000)}"`, `${' '.repeat(60_000)}x`, `"7"${' '.repeat(60_000)}x`]) {
      const reject = () => expect(() => parse(hostile)).toThrow();
      expect(leastCpuMs(reject, { msMax: 300 })).toBeLessThan(300);
    }
  });
});

it.each([
  ['"7-mwq7isw0"', true],
  ['W/"7-mwq7isw0"', true],
  ['"6", W/"7-mwq7isw0"', true],
  ['*', true],
  ['"07-mwq7isw0"', false],
  ['"7-mwq7isw1"', false],
  ['"6-mwq7isw0"', false],
  ['"7"', false],
])('%s has version 7 of that time by the weak comparison: %s', (text, isIn) => {
  expect(hasVersion(parse(text) ?? [], { revision: 7, modified: '2026-11-21T09:30:00' })).toBe(isIn);
});
