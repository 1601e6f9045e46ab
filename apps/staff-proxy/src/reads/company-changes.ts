/** Which writes went through the proxy: what was read before one of them may be told to nobody who asks after it. */
export interface CompanyChanges {
  /** Another number as soon as a write of this account, or of anybody in this company, has begun or ended. */
  stampOf(account: string, companyKey: string): number;
  /** Whether a read holds for others, too: nothing was written, and no write may still take effect, since it began. */
  isSettled(account: string, companyKey: string, read: BegunRead): boolean;
  /** A write is about to be sent; returns what is to be called when it is over. */
  begin(account: string, companyKey: string): (end: WriteEnd) => void;
}

export interface BegunRead {
  readonly stamp: number;
  readonly startedMs: number;
}

/** `lost`: nobody knows whether it took effect, or will. */
export type WriteEnd = 'answered' | 'lost';

/** How long a write whose answer was lost may still take effect at the upstream. */
const lateMs = 30_000;

interface Scope {
  stamp: number;
  writing: number;
  settledFromMs: number;
}

/** `clock`: milliseconds that never go back. */
export function createCompanyChanges(clock: () => number): CompanyChanges {
  // As many as the keys files have named accounts and companies since the start.
  const accounts = new Map<string, Scope>();
  const companies = new Map<string, Scope>();
  /** By the keys as they are written, which saves writing them anew for each read. */
  const companiesAsWritten = new Map<string, Scope>();

  function scopeIn(scopes: Map<string, Scope>, name: string): Scope {
    let scope = scopes.get(name);
    if (scope === undefined) {
      scope = { stamp: 0, writing: 0, settledFromMs: Number.NEGATIVE_INFINITY };
      scopes.set(name, scope);
    }
    return scope;
  }

  // An account may reach more companies than its key is for, and a company has more accounts than one.
  const ofAccount = (account: string) => scopeIn(accounts, account);

  /** Not every upstream tells upper from lower case in a key; to forget too much does no harm. */
  function ofCompany(companyKey: string): Scope {
    let scope = companiesAsWritten.get(companyKey);
    if (scope === undefined) {
      scope = scopeIn(companies, companyKey.toLowerCase());
      companiesAsWritten.set(companyKey, scope);
    }
    return scope;
  }

  return {
    stampOf: (account, companyKey) => ofAccount(account).stamp + ofCompany(companyKey).stamp,
    isSettled(account, companyKey, { stamp, startedMs }) {
      const [a, b] = [ofAccount(account), ofCompany(companyKey)];
      const isSettledIn = ({ writing, settledFromMs }: Scope) => writing === 0 && startedMs >= settledFromMs;
      return a.stamp + b.stamp === stamp && isSettledIn(a) && isSettledIn(b);
    },
    begin(account, companyKey) {
      const changed = [ofAccount(account), ofCompany(companyKey)];
      for (const scope of changed) {
        scope.stamp++;
        scope.writing++;
      }
      return (end) => {
        for (const scope of changed) {
          scope.stamp++;
          scope.writing--;
          if (end === 'lost') scope.settledFromMs = clock() + lateMs;
        }
      };
    },
  };
}
