import { describe, expect, it } from 'vitest';
import { faultAt } from '../config/index.ts';
import { excerptOf, formatFaults } from './format-faults.ts';

const output = { columns: 80, style: (_: unknown, text: string) => text };
const format = (text: string, field: string, column: number, detail = 'No.') =>
  formatFaults([faultAt({ file: 'x.json', line: 1, column }, field, detail)], { output, readText: () => text });

it.each(['port', 'endpoints[0].path', 'endpoints[3].parameters.symbol'])('shows the value of field %s', (field) => {
  expect(format('{ "a": "value" }', field, 8)).toContain('{ "a": "value" }');
});

it.each([
  ...['', 'api_keys', 'endpoints[0].api_keys', 'keys[0].sha256', 'redis_url', 'endpoints[0].upstream.targets[0]'],
  ...['policies.a.request.set.Authorization', 'policies.a.response.add.X-Pin', 'policies.a.options.pin'],
  'endpoints[0].upstream.auth.fields.pin',
])('hides the value of field %j', (field) => expect(format('{ "a": "canary" }', field, 8)).not.toContain('canary'));

it('hides a URL with credentials in any field', () => {
  expect(format('{ "a": "https://x:canary@a.example" }', 'jwt_issuers[0].issuer', 8)).not.toContain('canary');
});

it('shows a value that the message contains', () => {
  expect(format('{ "a": "value" }', '', 8, 'What is "value"?')).toContain('{ "a": "value" }');
});

it('shows code as it is', () => {
  const place = { file: 'services/a.ts', line: 1, column: 14 };
  const faults = [faultAt(place, '', 'Expression expected.')];
  expect(formatFaults(faults, { output, readText: () => "const x = 'a' +;" })).toContain("const x = 'a' +;");
});

it('shows a fault without its source when the file cannot be read', () => {
  const faults = [faultAt({ file: 'x.json', line: 1, column: 1 }, 'port', 'No.')];
  expect(formatFaults(faults, { output, readText: () => undefined })).toBe('x.json:1:1  port: No.\n');
});

const excerpt = (text: string, column: number, message = '') =>
  excerptOf(text, { line: 1, column }, { output, mayShow: (value) => message.includes(value) });

describe('an excerpt', () => {
  it('shows the line with a caret below the place', () => {
    expect(excerptOf('{\n  "port": true\n}', { line: 2, column: 11 }, { output, mayShow: () => false })).toBe(
      '    2 |   "port": true\n      |           ^',
    );
  });

  it('shows the value at the place when the message contains it', () => {
    expect(excerpt('{"service": "crypo"}', 13, '"crypo" does not exist.')).toContain('"service": "crypo"}');
  });

  it.each([
    ['another value of the line', '{"api_keys": "canary", "prt": 1}', 24],
    ['a value under an unknown name', '{"api_key": "canary"}', 2],
    ['the value at the place when the message omits it', '{"api_keys": "canary"}', 14],
    ['a string without a closing quote', '{"api_keys": "canary', 14],
    ['text without quotes', '{"api_keys": canary}', 14],
    ['text in other quotes', "{'api_keys': 'canary'}", 2],
    ['a comment', '{"a": 1} // canary', 10],
    ['a value between two colons', '{"api_keys": "canary": 1}', 14],
    ['a URL without quotes', '{"redis_url": redis://:canary@host}', 15],
    ['escapes', '{"api_keys": "\\"canary", "b": "\\\\", "c": "canary"}', 27],
    ['a value that begins as a number', '{"api_keys": 0canary0, "b": 2}', 14],
  ])('masks %s', (_, line, column) => {
    const [shown = ''] = excerpt(line, column)?.split('\n') ?? [];
    expect(shown).not.toContain('canary');
    expect(shown).toContain('…');
  });

  it('keeps the caret below its place after masked values', () => {
    const [shown = '', below = ''] = excerpt('{"a": "a long secret", "prt": 1}', 24)?.split('\n') ?? [];
    expect(shown[below.indexOf('^')]).toBe('"');
    expect(shown.slice(below.indexOf('^'))).toMatch(/^"prt"/);
  });

  it('shows a long line around the place', () => {
    const line = `{${'"a": 1, '.repeat(100)}"prt": 1}`;
    const [shown = '', below = ''] = excerpt(line, line.indexOf('"prt"') + 1)?.split('\n') ?? [];
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(shown.slice(below.indexOf('^'))).toMatch(/^"prt"/);
  });

  it('is undefined for a line that does not exist', () => {
    expect(excerptOf('{}', { line: 9, column: 1 }, { output, mayShow: () => false })).toBeUndefined();
  });
});
