import type { Principal } from '@rostergate/runtime/contract';

/** A service account, as the requests that it makes see it. */
export interface Account extends Principal {
  readonly accountRow: number;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}

/** The scope that every write asks for in the contract. */
const adminScope = 'admin';

export function createAccount(stored: {
  readonly accountRow: number;
  readonly email: string;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}): Account {
  return Object.freeze({
    name: stored.email,
    owner: stored.email,
    scopes: Object.freeze(stored.isAdmin ? [adminScope] : []),
    accountRow: stored.accountRow,
    companyKey: stored.companyKey,
    isAdmin: stored.isAdmin,
  });
}
