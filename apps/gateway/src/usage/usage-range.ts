import type { components } from '@rostergate/gateway-spec';
import { createValidationProblem } from '@rostergate/server/problem';
import type { UsagePart, UsageQuery, UsageRow } from './usage-store.ts';

/** What a caller or an operator asks for. Times are RFC 3339. */
export interface UsageRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: 'hour' | 'day' | undefined;
  readonly by?: readonly UsagePart[] | undefined;
}

const daysMax = { hour: 31, day: 400 };
const hourMs = 3_600_000;
const firstMs = Date.parse('0001-01-01T00:00:00Z');
const endMs = Date.parse('9999-01-01T00:00:00Z');

export interface UsageQueryOptions {
  /** Undefined for all owners. */
  readonly owner: string | undefined;
  /** What the requests may be grouped by; by default all of it. */
  readonly parts: readonly UsagePart[];
  readonly nowMs: number;
  /** Rows of a result at most. */
  readonly rowsMax: number;
}

/**
 * Returns the query of a request: full hours, the last 24 of them by default.
 * @throws Problem `validation_failed` for a range that is empty or too long
 */
export function toUsageQuery(request: UsageRequest, { owner, parts, nowMs, rowsMax }: UsageQueryOptions): UsageQuery {
  const { interval = 'hour', by = parts } = request;
  const toHour = Math.ceil(timeOf('to', request.to, nowMs) / hourMs);
  const fromHour = Math.floor(timeOf('from', request.from, (toHour - 24) * hourMs) / hourMs);
  if (fromHour >= toHour) throw createValidationProblem([{ parameter: 'from', detail: 'must be before "to"' }]);
  const days = daysMax[interval];
  if (toHour - fromHour > days * 24) {
    const advice = interval === 'hour' ? ', or ask by day' : '';
    const detail = `must be at most ${days} days before "to"${advice}`;
    throw createValidationProblem([{ parameter: 'from', detail }]);
  }
  return {
    ...{ owner, fromHour, toHour },
    intervalHours: interval === 'hour' ? 1 : 24,
    by: parts.filter((part) => by.includes(part)),
    // One more shows that the result is too long.
    rowsMax: rowsMax + 1,
  };
}

function timeOf(parameter: string, text: string | undefined, otherwise: number): number {
  const ms = text === undefined ? otherwise : Date.parse(text);
  // A leap second is a time of RFC 3339, and none of JavaScript; another year has no four digits after rounding.
  if (ms >= firstMs && ms < endMs) return ms;
  const detail = 'must be a time such as 2026-01-01T12:00:00Z, of the years 0001 to 9998';
  throw createValidationProblem([{ parameter, detail }]);
}

/** @throws Problem `validation_failed` for a result that is too long */
export function checkUsageRows(
  rows: readonly UsageRow[],
  { rowsMax }: Pick<UsageQuery, 'rowsMax'>,
): readonly UsageRow[] {
  if (rows.length < rowsMax) return rows;
  const detail = `must be later, or "by" must have fewer parts: the result has more than ${rowsMax - 1} counts`;
  throw createValidationProblem([{ parameter: 'from', detail }]);
}

/** Counts of a response at most. */
export const usageRowsMax = 10_000;

/** Returns the counts as the contracts declare them. */
export function toUsage(
  rows: readonly UsageRow[],
  { fromHour, toHour }: Pick<UsageQuery, 'fromHour' | 'toHour'>,
  interval: 'hour' | 'day' = 'hour',
) {
  return {
    from: toHourText(fromHour),
    to: toHourText(toHour),
    interval,
    total_requests: rows.reduce((sum, { requests }) => sum + requests, 0),
    usage: rows.map(({ hour, ...row }) => ({ time: toHourText(hour), ...row }) as Schemas['UsageCount']),
  };
}

type Schemas = components['schemas'];

/** Returns the start of an hour such as `2026-01-01T12:00:00Z`. */
export function toHourText(hour: number): string {
  return `${new Date(hour * hourMs).toISOString().slice(0, 19)}Z`;
}

/** Returns the rows as CSV (RFC 4180) with a header line. */
export function toUsageCsv(rows: readonly UsageRow[], by: readonly UsagePart[]): string {
  const lines = rows.map((row) => [toHourText(row.hour), ...by.map((part) => row[part] ?? ''), String(row.requests)]);
  return [['time', ...by, 'requests'], ...lines].map((line) => `${line.map(toCell).join(',')}\r\n`).join('');
}

function toCell(text: string): string {
  // A spreadsheet would run such a cell as a formula.
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
