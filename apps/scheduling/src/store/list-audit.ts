import type { Kysely } from 'kysely';
import type { AuditChoice, AuditEntry } from './staff-store.ts';
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
