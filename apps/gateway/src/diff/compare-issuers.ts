import type { JwtIssuer } from '@rostergate/endpoints';
import { minus, type Note } from './change.ts';

type Compare = (old: JwtIssuer, next: JwtIssuer, note: (rule: Parameters<Note>[0], text: string) => void) => void;

/** Notes changes of the issuers by name. Which endpoints accept their tokens is part of the contract. */
export function compareIssuers(old: readonly JwtIssuer[], next: readonly JwtIssuer[], note: Note): void {
  const before = new Map(old.map((issuer) => [issuer.name, issuer]));
  for (const issuer of next) {
    const other = before.get(issuer.name);
    before.delete(issuer.name);
    if (other === undefined) {
      note('issuer-added', issuer.name, 'tokens of this issuer can be accepted');
      continue;
    }
    for (const [field, compare] of Object.entries(fields)) {
      compare(other, issuer, (rule, text) => note(rule, `${issuer.name}.${field}`, text));
    }
  }
  for (const name of before.keys()) note('issuer-removed', name, 'tokens of this issuer are accepted nowhere');
}

/** Every field of an issuer, rated. */
const fields: Readonly<Record<keyof JwtIssuer, Compare>> = {
  name: () => {},
  issuer: replaced('issuer'),
  audiences: listed('audiences'),
  algorithms: listed('algorithms'),
  token_types: listed('token_types'),
  owner_claim: replaced('owner_claim'),
  scopes_claim: replaced('scopes_claim'),
  plan_claim: replaced('plan_claim'),
  clock_tolerance_seconds: (old, next, note) => {
    const [before, now] = [old.clock_tolerance_seconds, next.clock_tolerance_seconds];
    if (before !== now) note(now < before ? 'issuer-tightened' : 'issuer-relaxed', `${before} became ${now}`);
  },
  jwks_url: keys('jwks_url'),
  keys_refresh_seconds: keys('keys_refresh_seconds'),
  keys_stale_seconds_max: keys('keys_stale_seconds_max'),
};

/** A field of which another value rejects tokens that were accepted, or gives their callers other rights. */
function replaced(field: 'issuer' | 'owner_claim' | 'scopes_claim' | 'plan_claim'): Compare {
  return (old, next, note) => {
    if (old[field] !== next[field]) note('issuer-replaced', `${old[field]} became ${next[field]}`);
  };
}

/** A list of what is accepted. */
function listed(field: 'audiences' | 'algorithms' | 'token_types'): Compare {
  return (old, next, note) => {
    const [before, now] = [new Set<string>(old[field]), new Set<string>(next[field])];
    for (const item of minus(before, now)) note('issuer-tightened', `${item} is no longer accepted`);
    for (const item of minus(now, before)) note('issuer-relaxed', `${item} is also accepted`);
  };
}

/** A field about how keys are fetched. */
function keys(field: 'jwks_url' | 'keys_refresh_seconds' | 'keys_stale_seconds_max'): Compare {
  return (old, next, note) => {
    const [before, now] = [old[field] ?? 'discovery', next[field] ?? 'discovery'];
    if (before !== now) note('issuer-keys-changed', `${before} became ${now}`);
  };
}
