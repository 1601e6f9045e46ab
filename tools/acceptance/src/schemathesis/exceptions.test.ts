import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { document as gateway } from '@rostergate/gateway-spec';
import { schedulingDocument as staff } from '@rostergate/staff-spec';
import { describe, expect, it } from 'vitest';
import { configurationFolder } from './install-schemathesis.ts';

const configuration = await readFile(join(configurationFolder, 'schemathesis.toml'), 'utf8');
/** The tables of exceptions, each up to the next table. */
const [, ...tables] = configuration.split(/^\[\[(?:project\.)?operations\]\]$/m);
/** The statuses that every operation may return for a valid request. */
const [, usual = ''] = /^\[checks.positive_data_acceptance\]\n(.*)$/m.exec(configuration) ?? [];
const statusesOf = (text: string) =>
  text.split('\n').flatMap((line) => (/expected-statuses/.test(line) ? (line.match(/\b\d{3}\b/g) ?? []) : []));
const operationIds = [gateway, staff].flatMap(({ paths }) =>
  Object.values(paths).flatMap((item) =>
    [item.get, item.put, item.post, item.patch, item.delete].map((one) => one?.operationId),
  ),
);

describe('the exceptions of schemathesis', () => {
  it('name only operations of the contracts', () => {
    const named = tables.flatMap((table) => {
      const [, list = ''] = /^include-operation-id = (\[[^\]]*\]|".*")$/m.exec(table) ?? [];
      return [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    });
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !operationIds.includes(name))).toEqual([]);
  });

  it('give a reason for each additional status', () => {
    const always = new Set(statusesOf(usual));
    for (const table of tables) {
      const reason = /^\s*((?:# .*\n)+)/.exec(table)?.[1] ?? '';
      const allowed = statusesOf(table).filter((status) => !always.has(status) && !reason.includes(status));
      expect([table, allowed]).toEqual([table, []]);
    }
  });

  it('disable no check', () => {
    expect(configuration).toMatch(/^\[checks\]\nenabled = true$/m);
    expect(configuration.replace('[cache]\nenabled = false', '')).not.toContain('enabled = false');
  });
});
