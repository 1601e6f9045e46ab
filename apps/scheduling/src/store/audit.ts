import type { Kysely } from 'kysely';
import type { WriteScope } from './scope.ts';
import type { Row, Tables } from './tables.ts';

export interface AuditChoice {
  readonly limit: number;
  /** Only rows before this one: the last row of the page before. */
  readonly beforeRow?: number | undefined;
  readonly staffKey?: string | undefined;
  readonly account?: string | undefined;
  /** Only rows from this time on, as dates are stored: `2026-11-21T09:30:00`. */
  readonly sinceUtc?: string | undefined;
}

export interface AuditEntry {
  /** Row number, ascending in the order of the writes. */
  readonly row: number;
  readonly companyKey: string;
  readonly atUtc: string;
  readonly account: string;
  readonly requestId: string;
  readonly operation: string;
  readonly staffKey: string;
  readonly changedFields: readonly string[];
}

/** Returns the audit row of a write. It contains the names of what changed and never a value. */
export function createAuditRow(
  { companyKey, account, requestId, operation }: WriteScope,
  { now, staffKey, changed }: { readonly now: string; readonly staffKey: string; readonly changed: readonly string[] },
): Omit<Row<'audit'>, 'AuditRow'> {
  return {
    ...{ AtUtc: now, CompanyKey: companyKey, Account: account, RequestId: requestId, Operation: operation },
    ...{ StaffKey: staffKey, ChangedFields: JSON.stringify(changed) },
  };
}

/** Returns a page of the audit rows of a company, or of all companies, newest first. */
export async function listAudit(
  db: Kysely<Tables>,
  companyKey: string | undefined,
  { limit, beforeRow, staffKey, account, sinceUtc }: AuditChoice,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit').selectAll();
  if (companyKey !== undefined) query = query.where('CompanyKey', '=', companyKey);
  if (beforeRow !== undefined) query = query.where('AuditRow', '<', beforeRow);
  if (staffKey !== undefined) query = query.where('StaffKey', '=', staffKey);
  if (account !== undefined) query = query.where('Account', '=', account);
  if (sinceUtc !== undefined) query = query.where('AtUtc', '>=', sinceUtc);
  const rows = await query.orderBy('AuditRow', 'desc').limit(limit).execute();
  return rows.map((row) => ({
    row: Number(row.AuditRow),
    companyKey: row.CompanyKey,
    atUtc: row.AtUtc,
    account: row.Account,
    requestId: row.RequestId,
    operation: row.Operation,
    staffKey: row.StaffKey,
    changedFields: JSON.parse(row.ChangedFields) as string[],
  }));
}
