import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { abnfRules, offsetOfFailure } from './abnf-rules.ts';

interface Case {
  readonly index: number;
  readonly Name: string;
  readonly Rule: string;
  readonly Input: string;
  /** Offset of the first fault of an invalid input. */
  readonly FailAt?: number;
}

/** The cases of the OASIS technical committee. `ODATA_ABNF_CASES` selects another file of the same format. */
const file = process.env.ODATA_ABNF_CASES ?? new URL('../fixtures/odata-abnf-cases.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

describe.each(Object.entries(Object.groupBy(cases, ({ Rule }) => Rule)))('OASIS cases of %s', (rule, ofRule = []) => {
  test.each(ofRule)('$index $Name: $Input', ({ Input, FailAt }) => {
    const parse = abnfRules[rule];
    if (parse === undefined) throw new TypeError(`No parser for the rule ${rule}.`);
    if (FailAt === undefined) expect(() => parse(Input)).not.toThrow();
    else expect(offsetOfFailure(() => parse(Input))).toBe(FailAt);
  });
});
