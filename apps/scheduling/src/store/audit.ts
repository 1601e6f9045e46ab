import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Audit rows of a company, or of all, newest first, page by page: each page asks for what is before the last row of the other. */
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

export interface AuditChoice {
  readonly limit: number;
  /** The next page: only rows before this one, which was the last of the page before. */
  readonly beforeRow?: number | undefined;
  readonly staffKey?: string | undefined;
  readonly account?: string | undefined;
  /** From this moment on, in the form in which dates are kept: `2026-11-21T09:30:00`. */
  readonly sinceUtc?: string | undefined;
}

export interface AuditEntry {
  /** Number of the row; later rows have higher ones. */
  readonly row: number;
  readonly companyKey: string;
  readonly atUtc: string;
  readonly account: string;
  readonly requestId: string;
  readonly operation: string;
  readonly staffKey: string;
  readonly changedFields: readonly string[];
}
