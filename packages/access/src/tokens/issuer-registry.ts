import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { createTallyCounter, describeCause, type Telemetry } from '@rostergate/server/telemetry';
import type { Registry } from 'prom-client';
import type { Issuer } from './issuer.ts';
import { IssuerKeys } from './issuer-keys.ts';
import type { KeySource, LoadKeys } from './load-keys.ts';
import { createTokenVerifier, type TokenClaims, type TokenVerifier } from './token-verifier.ts';

export interface IssuerRegistryOptions<P> {
  readonly load: LoadKeys;
  readonly createPrincipal: (claims: TokenClaims, issuer: Issuer) => P;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly steadyClock: () => number;
  readonly registry: Registry;
  /** Called when the keys of an issuer could not be fetched, and again when they could. */
  readonly onChange?: (issuer: string, error?: unknown) => void;
}

/** The issuers of a process. Keys and verified tokens outlive configurations in which their issuer is unchanged. */
export interface IssuerRegistry<P> {
  verifierOf(issuer: Issuer): TokenVerifier<P>;
  /** Counts a token of no accepted issuer. */
  readonly countForeign: () => void;
  /** Drops all other issuers, and fetches missing keys. */
  use(issuers: readonly Issuer[]): void;
  /** Degraded while the keys of an issuer are missing or cannot be fetched; undefined without issuers. */
  status(): DependencyStatus | undefined;
}

interface Known<P> {
  readonly issuer: Issuer;
  readonly keys: IssuerKeys;
  readonly verifier: TokenVerifier<P>;
}

export function createIssuerRegistry<P>(options: IssuerRegistryOptions<P>): IssuerRegistry<P> {
  const { load, createPrincipal, clock, steadyClock, registry, onChange } = options;
  const verifications = createTallyCounter({
    name: 'token_verifications_total',
    help: 'Access tokens by issuer and outcome: valid, expired, invalid, or unavailable while no keys are known.',
    labelNames: ['issuer', 'outcome'],
    registers: [registry],
  });
  const outcomesOf = memoize((name: string) => ({
    valid: verifications.of({ issuer: name, outcome: 'valid' }),
    expired: verifications.of({ issuer: name, outcome: 'expired' }),
    invalid: verifications.of({ issuer: name, outcome: 'invalid' }),
    unavailable: verifications.of({ issuer: name, outcome: 'unavailable' }),
  }));
  const keysBySource = new Map<string, IssuerKeys>();
  const known = new Map<string, Known<P>>();

  function keysOf(source: KeySource): IssuerKeys {
    const found = keysBySource.get(sourceKey(source));
    if (found !== undefined) return found;
    let isFailing = false;
    const keys = new IssuerKeys({
      source,
      load,
      clock: steadyClock,
      onFetch(error) {
        // An outage is logged once.
        if ((error !== undefined) !== isFailing) onChange?.(source.name, error);
        isFailing = error !== undefined;
      },
    });
    keysBySource.set(sourceKey(source), keys);
    return keys;
  }

  function find(issuer: Issuer): Known<P> {
    const key = JSON.stringify(issuer);
    const found = known.get(key);
    if (found !== undefined) return found;
    const keys = keysOf(sourceOf(issuer));
    const outcomes = outcomesOf(issuer.name);
    const verifier = createTokenVerifier<P>({
      issuer,
      keys,
      clock,
      createPrincipal: (claims) => createPrincipal(claims, issuer),
      onOutcome: (outcome) => outcomes[outcome].inc(),
    });
    const created = { issuer, keys, verifier };
    known.set(key, created);
    return created;
  }

  return {
    verifierOf: (issuer) => find(issuer).verifier,
    countForeign: () => outcomesOf('unknown').invalid.inc(),
    use(issuers) {
      const used = new Set(issuers.map((issuer) => JSON.stringify(issuer)));
      for (const key of known.keys()) if (!used.has(key)) known.delete(key);
      const sources = new Set(issuers.map((issuer) => sourceKey(sourceOf(issuer))));
      for (const key of keysBySource.keys()) if (!sources.has(key)) keysBySource.delete(key);
      for (const issuer of issuers) void warm(find(issuer));
    },
    status() {
      if (known.size === 0) return undefined;
      const issuers = [...known.values()].map(({ issuer, keys }) => {
        const { ageMs } = keys;
        const isUsable = ageMs <= issuer.keys_stale_seconds_max * 1000;
        const state = !isUsable ? 'unavailable' : keys.isFailing ? 'stale' : 'ready';
        return { name: issuer.name, keys: state, age_seconds: ageMs === Infinity ? null : Math.round(ageMs / 1000) };
      });
      // Asks again for missing keys, so that they arrive without a token.
      for (const each of known.values()) void warm(each);
      const failing = issuers.filter(({ keys }) => keys !== 'ready').map(({ name }) => name);
      if (failing.length === 0) return { status: 'ready', issuers };
      return { status: 'degraded', reason: `The keys of ${failing.join(', ')} cannot be fetched.`, issuers };
    },
  };
}

async function warm<P>({ issuer, keys }: Known<P>): Promise<void> {
  const [refreshMs, staleMsMax] = [issuer.keys_refresh_seconds * 1000, issuer.keys_stale_seconds_max * 1000];
  // A failure is reported by `onFetch`.
  await keys.require({ refreshMs, staleMsMax }).catch(() => {});
}

function sourceOf({ name, issuer, jwks_url }: Issuer): KeySource {
  return { name, issuer, jwksUrl: jwks_url ?? undefined };
}

function sourceKey({ issuer, jwksUrl }: KeySource): string {
  return `${issuer} ${jwksUrl ?? ''}`;
}

function memoize<V>(create: (key: string) => V): (key: string) => V {
  const values = new Map<string, V>();
  return (key) => {
    const found = values.get(key) ?? create(key);
    values.set(key, found);
    return found;
  };
}

/** Returns the `onChange` of a registry that logs the begin and the end of an outage. */
export function logIssuerChange(log: Telemetry['log']): (issuer: string, error?: unknown) => void {
  return (issuer, error) => {
    if (error === undefined) log.info({ issuer }, 'the keys of a token issuer are fetched again');
    else log.warn({ issuer, err: describeCause(error) }, 'the keys of a token issuer cannot be fetched');
  };
}
