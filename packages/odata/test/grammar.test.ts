import { describe, expect, test } from 'vitest';
import { bind, ODataError, parseQueryOptions } from '../src/index.ts';
import { abnfRules, offsetOfFailure } from './abnf-rules.ts';
import { expressionCases, optionCases } from './grammar-cases.ts';
import { people } from './people.ts';

describe.each([...expressionCases, ...optionCases])('rule $rule of the ABNF', ({ rule, valid, invalid }) => {
  const parse = abnfRules[rule]!;
  test.each(valid)('accepts %s', (input) => {
    expect(() => parse(input)).not.toThrow();
  });
  test.each(invalid)('rejects %s at offset %i', (input, offset) => {
    expect(offsetOfFailure(() => parse(input))).toBe(offset);
  });
});

test('all valid syntax is bound or rejected with an ODataError', () => {
  const filters = expressionCases
    .filter(({ rule }) => /Expr$|arrayOrObject|primitiveLiteral/.test(rule))
    .flatMap(({ rule, valid }) =>
      valid.map(
        (text) => `$filter=${rule === 'collectionPathExpr' ? 'Groups' : rule === 'listExpr' ? 'Age in ' : ''}${text}`,
      ),
    );
  const options = optionCases.flatMap(({ valid }) => valid);
  for (const query of [...filters, ...options]) {
    try {
      bind(parseQueryOptions(query), people, 'Person');
    } catch (error) {
      expect(error, query).toBeInstanceOf(ODataError);
      expect((error as ODataError).message.length, query).toBeLessThan(200);
      expect([400, 501], query).toContain((error as ODataError).status);
    }
  }
});
