import { expect, it } from 'vitest';
import { faultAt } from '../config/index.ts';
import { formatFaults } from './format-faults.ts';

const output = { columns: 80, style: (_: unknown, text: string) => text };
const format = (text: string, field: string, column: number, detail = 'No.') =>
  formatFaults([faultAt({ file: 'x.json', line: 1, column }, field, detail)], { output, readText: () => text });

it.each(['port', 'endpoints[0].path', 'endpoints[3].parameters.symbol'])('shows the value of %s', (field) => {
  expect(format('{ "a": "value" }', field, 8)).toContain('{ "a": "value" }');
});

it.each(['', 'api_keys', 'endpoints[0].api_keys', 'keys[0].sha256', 'redis_url', 'endpoints[0].upstream.targets[0]'])(
  'hides the value of %j',
  (field) => expect(format('{ "a": "canary" }', field, 8)).not.toContain('canary'),
);

it('shows a value that the message tells', () => {
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
