import { didYouMean } from '@rostergate/server/problem';
import type { EndpointDefinition, Report } from './configuration-schema.ts';
import type { Endpoint } from './endpoint.ts';

/** The credentials that an endpoint accepts. */
export type EndpointAuth = Pick<Endpoint, 'requiresAuth' | 'acceptsKeys' | 'issuers'>;

/**
 * Returns the credentials of a definition; reports contradictions and unknown issuers. Any issuer is known without
 * `issuers`.
 */
export function readAuth(
  { auth, requires_auth, api_keys, scopes }: EndpointDefinition,
  isPublicStated: boolean,
  issuers: readonly string[] | undefined,
  report: Report,
): EndpointAuth {
  const requiresAuth = requires_auth || auth !== undefined;
  const acceptsKeys = auth === undefined ? requires_auth : auth.includes('key');
  const named = (auth ?? []).flatMap((way) => issuerOf(way) ?? []);
  if (auth !== undefined && isPublicStated) {
    report(['requires_auth'], 'must be true or left out when auth is set: auth requires a credential');
  }
  if (requires_auth && !acceptsKeys) {
    report(['auth'], 'must contain "key" when requires_auth is true. Remove requires_auth to accept only tokens.');
  }
  if (api_keys && !acceptsKeys) {
    const [field, value] = auth === undefined ? ['requires_auth', 'be true'] : ['auth', 'contain "key"'];
    const reason = requiresAuth ? 'no key is accepted' : 'anyone can call the endpoint without a key';
    report([field], `must ${value} when api_keys are set: otherwise ${reason}`);
  }
  if (scopes.length > 0 && !requiresAuth) {
    report(['requires_auth'], 'must be true when scopes are set: only a key has scopes');
  }
  for (const [i, way] of (auth ?? []).entries()) {
    if (auth?.indexOf(way) !== i) report(['auth', i], `repeats "${way}"`);
    const name = issuerOf(way);
    if (name === undefined || issuers === undefined || issuers.includes(name)) continue;
    const known = didYouMean(name, issuers) || (issuers.length === 0 ? '' : ` Known issuers: ${issuers.join(', ')}.`);
    report(['auth', i], `names the issuer "${name}", which is not in jwt_issuers of settings.json.${known}`);
  }
  return { requiresAuth, acceptsKeys, issuers: named };
}

/** Returns the name of the issuer in an entry of `auth`; undefined for `key`. */
function issuerOf(way: string): string | undefined {
  return way === 'key' ? undefined : way.slice('jwt:'.length);
}

type Security = readonly Readonly<Record<string, readonly string[]>>[];

const noSecurity: Security = [];
const keySecurity: Security = [{ apiKeyHeader: [] }, { apiKeyBearer: [] }];

/** Returns the security requirements of an endpoint; each is an alternative. */
export function securityOf({ requiresAuth, acceptsKeys, issuers }: EndpointAuth): Security {
  if (!requiresAuth) return noSecurity;
  if (issuers.length === 0) return keySecurity;
  return [...(acceptsKeys ? keySecurity : noSecurity), ...issuers.map((name) => ({ [issuerSchemeOf(name)]: [] }))];
}

/** Returns the name of the security scheme of an issuer. */
export function issuerSchemeOf(name: string): string {
  return `jwt-${name}`;
}
