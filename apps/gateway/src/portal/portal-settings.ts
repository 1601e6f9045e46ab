import { isSecureUrl } from '@rostergate/access/tokens';
import type { Settings } from '@rostergate/endpoints';
import { didYouMean } from '@rostergate/server/problem';
import type { z } from 'zod';

/** Short secrets could be guessed from a cookie of the portal, which is encrypted with a key derived from them. */
const secretLengthMin = 24;

/** Adds an issue for each fault of `portal` that involves other settings, for `superRefine`. */
export function checkPortalSettings(settings: Partial<Settings>, context: z.RefinementCtx): void {
  const portal: Partial<NonNullable<Settings['portal']>> | undefined = settings.portal;
  if (typeof portal !== 'object' || portal === null) return;
  const report = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: undefined });
  // The rule also runs for invalid settings.
  const { issuer, base_url: baseUrl, plans } = portal;
  const issuers = Array.isArray(settings.jwt_issuers) ? settings.jwt_issuers.map((one) => one?.name) : undefined;
  if (typeof issuer === 'string' && issuers !== undefined && !issuers.includes(issuer)) {
    report(
      ['portal', 'issuer'],
      `There is no issuer "${issuer}" in jwt_issuers.${didYouMean(issuer, issuers) || ' Add it there.'}`,
    );
  }
  if (typeof baseUrl === 'string' && /^https?:/.test(baseUrl)) {
    if (!URL.canParse(baseUrl) || new URL(baseUrl).origin !== baseUrl) {
      report(['portal', 'base_url'], 'This is no origin in its usual form: write one such as https://api.example.com.');
    } else if (!isSecureUrl(new URL(baseUrl))) {
      report(['portal', 'base_url'], 'It must begin with https://: http:// is only allowed on this machine.');
    }
  }
  const known = Object.keys(settings.plans ?? {});
  for (const [i, plan] of Array.isArray(plans) ? plans.entries() : []) {
    if (typeof plan === 'string' && !known.includes(plan)) {
      report(['portal', 'plans', i], `There is no plan "${plan}" in plans.${didYouMean(plan, known)}`);
    }
  }
  const { portal_client_secret: secret, key_store_url: storeUrl, reload_enabled: reloads } = settings;
  if (typeof secret === 'string' && secret.length < secretLengthMin) {
    const variable = 'ROSTERGATE_PORTAL_CLIENT_SECRET';
    report(
      ['portal_client_secret'],
      `portal requires it, with at least ${secretLengthMin} characters: set ${variable} to the secret of the client.`,
    );
  }
  if (storeUrl === '' && reloads === false) {
    report(['portal'], 'Its keys would not become valid: set key_store_url, or reload_enabled to true.');
  }
}
