/** Tracks writes through the proxy: a response read before a write must not be used for a request after it. */
export interface CompanyChanges {
  /** Returns a number that changes when a write of this account or in this company begins or ends. */
  stampOf(account: string, companyKey: string): number;
  /** Whether a read may be stored: nothing was written since it began, and no earlier write may still take effect. */
  isSettled(account: string, companyKey: string, read: BegunRead): boolean;
  /** Call before a write is sent; returns the function to call when it is over. */
  begin(account: string, companyKey: string): (end: WriteEnd) => void;
}

export interface BegunRead {
  readonly stamp: number;
  readonly startedMs: number;
}

/** `lost`: unknown whether the write took or will take effect. */
export type WriteEnd = 'answered' | 'lost';

/** How long a write without a response may still take effect at the upstream. */
const lateMs = 30_000;

interface Scope {
  stamp: number;
  writing: number;
  settledFromMs: number;
}

/** `clock`: monotonic milliseconds. */
export function createCompanyChanges(clock: () => number): CompanyChanges {
  // Bounded by the accounts and companies in the keys files since the start.
  const accounts = new Map<string, Scope>();
  const companies = new Map<string, Scope>();
  /** By the company key as written, which saves lowercasing it for each read. */
  const companiesAsWritten = new Map<string, Scope>();

  function scopeIn(scopes: Map<string, Scope>, name: string): Scope {
    let scope = scopes.get(name);
    if (scope === undefined) {
      scope = { stamp: 0, writing: 0, settledFromMs: Number.NEGATIVE_INFINITY };
      scopes.set(name, scope);
    }
    return scope;
  }

  // An account may reach several companies, and a company may have several accounts.
  const ofAccount = (account: string) => scopeIn(accounts, account);

  /** Case-insensitive, as some upstreams are; invalidating too much does no harm. */
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
