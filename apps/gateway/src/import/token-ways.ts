import type { ContractDocument, FoundOperation, JwtIssuer } from '@rostergate/endpoints';
import { follow } from '../diff/operations.ts';

/** What an import knows of an issuer of the settings. */
export type KnownIssuer = Pick<JwtIssuer, 'name' | 'issuer'>;

/** How callers of an operation are authenticated. */
export interface TokenWays {
  /** The member `auth` of the entry; undefined if no issuer of the settings issues tokens for the operation. */
  readonly auth: readonly string[] | undefined;
  /** The scopes that the operation requires of tokens, if it accepts nothing else. */
  readonly scopes: readonly string[];
  /** Security schemes for tokens of no issuer of the settings. */
  readonly unknown: readonly string[];
}

/**
 * Maps the security of an operation: each scheme of a known issuer is a way in for its tokens, and any other scheme is
 * replaced by a key.
 */
export function tokenWaysOf(
  { operation }: FoundOperation,
  document: ContractDocument,
  issuers: readonly KnownIssuer[],
): TokenWays {
  const security = operation.security ?? document.value.security;
  const requirements = (Array.isArray(security) ? security : []).filter(
    (one) => typeof one === 'object' && one !== null,
  );
  const unknown = new Set<string>();
  const ways = new Set<string>();
  const scopes: unknown[] = [];
  for (const requirement of requirements as Readonly<Record<string, unknown>>[]) {
    const names = Object.keys(requirement);
    const matched = names.map((name) => {
      const scheme = schemeAt(name, document);
      const issuer = isOfTokens(scheme) ? issuers.find((one) => isOf(one, scheme, issuers)) : undefined;
      if (issuer === undefined && isOfTokens(scheme)) unknown.add(name);
      return issuer;
    });
    const [issuer] = matched;
    if (names.length === 1 && issuer !== undefined) {
      ways.add(`jwt:${issuer.name}`);
      scopes.push(requirement[names[0] as string]);
    } else if (names.length > 0) ways.add('key');
  }
  const isOnlyToken = requirements.length === 1 && scopes.length === 1;
  const auth = scopes.length === 0 ? undefined : [...ways].sort((a, b) => Number(b === 'key') - Number(a === 'key'));
  return {
    auth,
    scopes: isOnlyToken && Array.isArray(scopes[0]) ? scopes[0].filter((one) => typeof one === 'string') : [],
    unknown: [...unknown],
  };
}

type Scheme = Readonly<Record<string, unknown>>;

function schemeAt(name: string, document: ContractDocument): Scheme {
  const { securitySchemes: schemes } = follow(document.value.components, document);
  return typeof schemes === 'object' && schemes !== null && Object.hasOwn(schemes, name)
    ? follow((schemes as Scheme)[name], document)
    : {};
}

function isOfTokens({ type, bearerFormat }: Scheme): boolean {
  return (
    type === 'openIdConnect' || type === 'oauth2' || (typeof bearerFormat === 'string' && /^jwt$/i.test(bearerFormat))
  );
}

function isOf({ issuer }: KnownIssuer, scheme: Scheme, issuers: readonly KnownIssuer[]): boolean {
  const base = issuer.replace(/\/+$/, '');
  const isBelow = (url: unknown) => typeof url === 'string' && url.startsWith(`${base}/`);
  if (scheme.type === 'openIdConnect') return isBelow(scheme.openIdConnectUrl) && isDiscovery(base, scheme);
  if (scheme.type === 'oauth2') {
    const flows = Object.values((scheme.flows ?? {}) as Readonly<Record<string, Scheme | null>>);
    return flows.some((flow) => isBelow(flow?.tokenUrl) || isBelow(flow?.authorizationUrl));
  }
  // A bearer scheme does not name its issuer.
  return typeof scheme['x-issuer'] === 'string' ? scheme['x-issuer'] === issuer : issuers.length === 1;
}

function isDiscovery(base: string, { openIdConnectUrl }: Scheme): boolean {
  return typeof openIdConnectUrl === 'string' && openIdConnectUrl.slice(base.length).startsWith('/.well-known/');
}
