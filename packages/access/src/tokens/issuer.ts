import type { z } from 'zod';

/** An issuer of access tokens, as in `jwt_issuers` of the settings. */
export interface Issuer {
  /** Begins the owner of its callers: `<name>:<claim>`. */
  readonly name: string;
  /** Compared with the claim `iss`. */
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** By default discovered. */
  readonly jwks_url?: string | null | undefined;
  readonly algorithms: readonly string[];
  readonly token_types: readonly string[];
  readonly owner_claim: string;
  readonly scopes_claim: string;
  /** Empty when tokens name no plan. */
  readonly plan_claim: string;
  readonly clock_tolerance_seconds: number;
  readonly keys_refresh_seconds: number;
  readonly keys_stale_seconds_max: number;
}

interface IssuerSettings {
  readonly jwt_issuers: readonly Omit<Issuer, 'scopes_claim' | 'plan_claim'>[];
  readonly plans: Readonly<Record<string, unknown>>;
}

/** Adds an issue for each fault that involves several fields of `jwt_issuers`, for `superRefine`. */
export function checkIssuerSettings(settings: IssuerSettings, context: z.RefinementCtx<IssuerSettings>): void {
  const list: unknown = settings.jwt_issuers;
  if (!Array.isArray(list)) return;
  const names = new Set<unknown>();
  // The rule also runs for invalid settings.
  for (const [i, given] of (list as (Partial<Issuer> | null)[]).entries()) {
    if (typeof given !== 'object' || given === null) continue;
    const { name, keys_refresh_seconds: refresh = 0, keys_stale_seconds_max: stale = Infinity } = given;
    const report = (field: keyof Issuer, message: string) =>
      context.addIssue({ code: 'custom', path: ['jwt_issuers', i, field], message, input: given[field] });
    if (names.has(name)) report('name', `Another issuer has the name "${name}": choose another.`);
    names.add(name);
    for (const field of ['issuer', 'jwks_url'] as const) {
      const text = given[field];
      if (typeof text !== 'string' || !/^https?:/.test(text)) continue;
      if (!URL.canParse(text)) report(field, 'This is not a URL: write one such as https://id.example.com.');
      else if (!isSecureUrl(new URL(text))) {
        report(field, 'It must begin with https://: http:// is only allowed for an issuer on this machine.');
      }
    }
    if (given.plan_claim && typeof settings.plans === 'object' && Object.keys(settings.plans ?? {}).length === 0) {
      report('plan_claim', 'There are no plans: add them to plans, or remove this field.');
    }
    if (stale < refresh) {
      report('keys_stale_seconds_max', `It must be at least keys_refresh_seconds (${refresh}).`);
    }
  }
}

/** Returns whether a fetch of a URL is protected from changes on the network: https, or http on this machine. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Returns the OpenAPI security scheme of an issuer; without discovery, only its form. */
export function securitySchemeOf({ issuer, jwks_url }: Pick<Issuer, 'issuer' | 'jwks_url'>): object {
  const description = `An access token of ${issuer} as a bearer token.`;
  if (jwks_url) return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description, 'x-issuer': issuer };
  const openIdConnectUrl = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  return { type: 'openIdConnect', openIdConnectUrl, description, 'x-issuer': issuer };
}
