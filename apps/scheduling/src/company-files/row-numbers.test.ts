import { expect, it } from 'vitest';
import { type CompanyFile, companyFiles } from './company-file.ts';
import type { ImportContext } from './import-context.ts';
import { groupByNumber } from './row-numbers.ts';

it('leaves the upper half of the numbers to the database', async () => {
  const reserved: number[] = [];
  const query: Record<string, () => unknown> = {
    select: () => query,
    where: () => query,
    execute: async () => [],
  };
  const context = {
    unit: { trx: { selectFrom: () => query } },
    flavour: {
      async reserveNumbers(_: unknown, { upTo }: { readonly upTo: number }) {
        reserved.push(upTo);
        return upTo;
      },
    },
  } as unknown as ImportContext;
  const tags = companyFiles.find(({ name }) => name === 'tags') as CompanyFile;
  const rows = [5, 2 ** 30, 2 ** 30 + 1, 2 ** 31 - 1].map((TagKey) => ({ CategoryKey: 1, Name: `${TagKey}`, TagKey }));
  const [own, others] = await groupByNumber(context, tags, rows);
  expect(own?.map(({ TagKey }) => TagKey)).toEqual([5, 2 ** 30]);
  expect([others?.length, reserved]).toEqual([2, [2 ** 30]]);
});
