import type { CompanyFile } from './company-file.ts';
import type { ImportContext } from './import-context.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Higher numbers are not used: an import may raise the highest one, and those above are left for the new rows of all
 * companies. The range of the column ends at twice this number.
 */
const importedMax = 2 ** 30;

const isUsable = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= importedMax;

/**
 * Divides new rows into those with a number of their own and those that the database numbers. An imported number is
 * used if it is free; another company may have it.
 */
export async function groupByNumber(
  { unit, flavour }: ImportContext,
  { table, numbers, showsNumbers = false }: CompanyFile,
  rows: readonly Row[],
): Promise<readonly (readonly Row[])[]> {
  if (!showsNumbers || numbers === undefined) return [rows];
  const wanted = rows.map((row) => row[numbers]).filter(isUsable);
  if (wanted.length === 0) return [rows.map((row) => withoutNumber(row, numbers))];
  const reserved = await flavour.reserveNumbers(unit.trx, { table, column: numbers, upTo: Math.max(...wanted) });
  const taken = await unit.trx
    .selectFrom(table as 'tags')
    .select(numbers as 'TagKey')
    .where(numbers as 'TagKey', 'in', wanted)
    .execute();
  const used = new Set<unknown>(taken.map((row) => row[numbers as 'TagKey']));
  const own: Row[] = [];
  const others: Row[] = [];
  for (const row of rows) {
    const value = row[numbers];
    if (!isUsable(value) || value > reserved || used.has(value)) others.push(withoutNumber(row, numbers));
    else {
      used.add(value);
      own.push(row);
    }
  }
  return [own, others];
}

function withoutNumber(row: Row, numbers: string): Row {
  const { [numbers]: _, ...rest } = row;
  return rest;
}
