import { expect, it } from 'vitest';
import { costRatio } from '../../../../tools/workspace/cpu-costs.ts';
import { chooseListForm } from './list-form.ts';

const minimal = 'application/json;odata.metadata=minimal';

it.each([
  minimal,
  'Application/JSON; OData.Metadata=Minimal',
  'application/json;odata.metadata="minimal"',
  'application/json;odata.streaming=true;odata.metadata=minimal',
  `${minimal};q=0.5, application/json;q=0.1`,
  `application/json, ${minimal}`,
  `text/html, ${minimal};q=0.2, */*;q=0.1`,
  `${minimal}, text/csv`,
])('chooses the envelope for Accept: %s', (accept) => {
  expect(chooseListForm(accept)).toBe('envelope');
});

it.each([
  undefined,
  '*/*',
  'text/*',
  'application/json',
  'application/json;odata.metadata=none',
  `${minimal};q=0`,
  `application/json, ${minimal};q=0.1`,
  `text/plain;x="${minimal}"`,
  `text/plain;x=", ${minimal}"`,
  'text/odata.metadata=minimal',
  'text/csv;q=0',
  'application/json, text/csv',
  'text/csv;q=0.5, */*',
  'text/plain;x="text/csv"',
])('chooses the bare array for Accept: %s', (accept) => {
  expect(chooseListForm(accept)).toBe('array');
});

it.each([
  ['text/csv', 'csv'],
  ['Text/CSV; charset=utf-8; header=present', 'csv'],
  ['text/csv, */*', 'csv'],
  ['text/csv, */*;q=0.8, application/json;q=0.9', 'csv'],
  ['text/csv, application/x-ndjson', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['text/csv;q=0.4, application/x-ndjson;q=0.5, application/*;q=0.1', 'ndjson'],
])('chooses rows for Accept: %s', (accept, form) => {
  expect(chooseListForm(accept)).toBe(form);
});

it('parses hostile headers in linear time', () => {
  for (const part of ['"', ',', ';', '"\\', 'a;q=', 'application/json;', 'text/csv,']) {
    const [short, long] = [4_000, 32_000].map((count) => `odata.metadata${part.repeat(count)}`);
    const run = () => void chooseListForm(long);
    const peer = () => {
      for (let i = 0; i < 8; i++) chooseListForm(short);
    };
    // Quadratic time would be eight times that of the peer.
    expect(costRatio({ run, peer, ratioMax: 3 })).toBeLessThan(3);
  }
});
