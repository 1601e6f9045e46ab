import { describe, expect, test } from 'vitest';
import type { Expression } from './ast.ts';
import { ODataError } from './odata-error.ts';
import { parseQueryOptions } from './parse-query-options.ts';

const parseFilter = (text: string) => parseQueryOptions(new URLSearchParams({ $filter: text })).filter as Expression;

/** Returns the tree as text with all parentheses, to show precedence. */
function shape(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return node.type === 'Edm.String' ? `'${node.value}'` : node.value;
    case 'and':
    case 'or':
      return `(${node.operands.map(shape).join(` ${node.kind} `)})`;
    case 'not':
    case 'negate':
      return `${node.kind === 'not' ? 'not ' : '-'}${shape(node.operand)}`;
    case 'binary':
      return `(${shape(node.left)} ${node.operator} ${shape(node.right)})`;
    case 'in':
      return `(${shape(node.left)} in ${node.list ? `[${node.list.map(shape)}]` : shape(node.collection as Expression)})`;
    case 'call':
      return `${node.name}(${node.arguments.map(shape)})`;
    case 'path':
      return [node.alias ? `@${node.alias}` : node.root, ...node.segments.map((s) => ('name' in s ? s.name : s.kind))]
        .filter((part) => part !== 'member')
        .join('/');
    default:
      return node.kind;
  }
}

describe('an expression', () => {
  test.each([
    ['A eq 1 and B eq 2 and C eq 3', '((A eq 1) and (B eq 2) and (C eq 3))'],
    ['A eq 1 or B eq 2 and C eq 3', '((A eq 1) or ((B eq 2) and (C eq 3)))'],
    ['(A eq 1 or B eq 2) and C eq 3', '(((A eq 1) or (B eq 2)) and (C eq 3))'],
    ['A gt 1 eq B lt 2', '((A gt 1) eq (B lt 2))'],
    ['A add B mul C eq 7', '((A add (B mul C)) eq 7)'],
    ['A sub B sub C', '((A sub B) sub C)'],
    ['A div B divby C mod D', '(((A div B) divby C) mod D)'],
    ['-A mul B', '(-A mul B)'],
    ['not A and B', '(not A and B)'],
    ['not (A eq B)', 'not (A eq B)'],
    ["not A in ('x')", "not (A in ['x'])"],
    ['A EQ 1 Or nOt B', '((A eq 1) or not B)'],
    ['A in (B)', '(A in B)'],
    ['-1 add +2', '(-1 add +2)'],
  ])('parses %s as %s', (text, tree) => {
    expect(shape(parseFilter(text))).toBe(tree);
  });

  test.each([
    ['null', 'null', 'null'],
    ['tRue', 'Edm.Boolean', 'tRue'],
    ['007', 'Edm.Int64', '007'],
    ['123456789012345678901234567890', 'Edm.Int64', '123456789012345678901234567890'],
    ['-1.5e-3', 'Edm.Decimal', '-1.5e-3'],
    ['-INF', 'Edm.Double', '-INF'],
    ["'O''Brien'", 'Edm.String', "O'Brien"],
    ["''", 'Edm.String', ''],
    ['11111111-2222-3333-4444-55555555AAaa', 'Edm.Guid', '11111111-2222-3333-4444-55555555AAaa'],
    ['abcdefab-2222-3333-4444-555555555555', 'Edm.Guid', 'abcdefab-2222-3333-4444-555555555555'],
    ['2024-02-29', 'Edm.Date', '2024-02-29'],
    ['-0044-03-15', 'Edm.Date', '-0044-03-15'],
    ['2024-01-01T00:00:00', 'Edm.DateTimeOffset', '2024-01-01T00:00:00'],
    ['2024-01-01T00:00Z', 'Edm.DateTimeOffset', '2024-01-01T00:00Z'],
    ['2024-01-01T00:00:00.123-05:30', 'Edm.DateTimeOffset', '2024-01-01T00:00:00.123-05:30'],
    ['09:30', 'Edm.TimeOfDay', '09:30'],
    ["duration'-P1DT2H3M4.5S'", 'Edm.Duration', '-P1DT2H3M4.5S'],
    ["binary'T0RhdGE'", 'Edm.Binary', 'T0RhdGE'],
    ["Sales.Pattern'Yellow,4'", 'enum', 'Yellow,4'],
    ["geography'SRID=0;Point(142.1 64.1)'", 'Edm.Geography', 'SRID=0;Point(142.1 64.1)'],
  ])('parses %s as a literal of %s', (text, type, value) => {
    expect(parseFilter(text)).toMatchObject({ kind: 'literal', type, value, offset: 0, end: text.length });
  });

  test.each([
    'not',
    'not eq 1',
    'A and not',
    'any eq 1',
    'year gt 1',
    'nullable',
    'trueish eq 1',
    'in in (1)',
    'Δelta eq 1',
  ])('parses keywords in the position of a name as names: %s', (text) => {
    expect(() => parseFilter(text)).not.toThrow();
  });

  test('parses not as an operator before an operand', () => {
    expect(parseFilter('not IsActive').kind).toBe('not');
    expect(parseFilter('not(IsActive)').kind).toBe('not');
    expect(parseFilter('not not true').kind).toBe('not');
  });

  test.each([
    ['', 0, 'an expression'],
    [' A eq 1', 1, 'an expression'],
    ['A eq 1 ', 7, 'an operator'],
    ['A eq', 4, 'a space'],
    ["A eq'x'", 4, 'a space'],
    ['A eq ', 5, 'an expression'],
    ["A eq 'x", 7, "the closing quote ' of the string"],
    ['(A eq 1', 7, 'an operator'],
    ['A eq 1)', 6, 'an operator'],
    ['A eq 2024-13-01', 11, 'a date such as 2024-01-31'],
    ['A eq 1.', 7, 'a digit'],
    ['contains(A)', 10, '","'],
    ["concat(A,'x','y')", 12, '")"'],
    ['Tags/any(x)', 10, '":"'],
    ['Tags/all()', 9, 'a range variable'],
    ['any(x:x)', 3, '"/"'],
    ['A in (1,B)', 8, 'a literal'],
    ['Model.Available', 15, '"("'],
    ['Model.Available eq 1', 15, '"/"'],
    ['A eq Model.Available', 20, '"/"'],
    ['Model.A/Model.B', 15, '"/"'],
    ['A;drop table x', 1, 'an operator'],
  ])('rejects %j at offset %i, expecting %s', (text, offset, expected) => {
    const error = failure(() => parseFilter(text));
    expect(error).toMatchObject({ code: 'syntax', status: 400, offset });
    expect(error.expected).toContain(expected);
    expect(error.message).toContain(`at offset ${offset}`);
  });

  test('suggests a function for a similar unknown name', () => {
    const error = failure(() => parseFilter("contans(Name,'x')"));
    expect(error).toMatchObject({ code: 'unknown_function', didYouMean: 'contains', offset: 0 });
  });
});

function failure(run: () => unknown): ODataError {
  try {
    run();
  } catch (error) {
    if (error instanceof ODataError) return error;
    throw error;
  }
  throw new Error('Expected an ODataError.');
}
