import { CommandFailure, exitCodes } from '@rostergate/runtime/command';
import { didYouMean } from '@rostergate/runtime/config';
import type { AccountStore, AccountSummary } from '../accounts/account-store.ts';

/** The address of an account as it is stored: in lower case. */
export function parseEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 320) return text.toLowerCase();
  throw new CommandFailure('An account is named by an e-mail address, such as ops@example.org.', exitCodes.usage);
}

/** The account that a command has changed, or what to say when there is none. */
export async function requireAccount(
  accounts: Pick<AccountStore, 'list'>,
  email: string,
  changed: AccountSummary | undefined,
): Promise<AccountSummary> {
  if (changed !== undefined) return changed;
  const known = (await accounts.list()).map((account) => account.email);
  const guess = didYouMean(email, known) || ' See accounts list.';
  throw new CommandFailure(`There is no account ${email}.${guess}`, exitCodes.faulty);
}

/** An account for programs. */
export function toAccountJson({ email, companyKey, isAdmin, isDisabled, lastLogin }: AccountSummary) {
  return { email, company_key: companyKey, admin: isAdmin, disabled: isDisabled, last_login: lastLogin };
}
