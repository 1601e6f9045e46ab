import { CommandFailure, exitCodes } from '@rostergate/config/command';
import { didYouMean } from '@rostergate/server/problem';
import type { OpenStore } from '../store/staff-store.ts';

/** Rejects a company that the database does not have. */
export async function requireCompany({ store, accounts }: OpenStore, company: string): Promise<void> {
  if (await store.roster.hasCompany(company)) return;
  const guess = didYouMean(company, await accounts.listCompanies()) || ' To create it, add its first account.';
  throw new CommandFailure(`There is no company ${JSON.stringify(company)}.${guess}`, exitCodes.invalid);
}
