import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, suggestField } from './did-you-mean.ts';

const endpoint =
  'path method service enabled requires_auth api_keys scopes rate_limit_per_minute cache_seconds description summary tags parameters upstream contract'.split(
    ' ',
  );
const upstream = ['targets', 'path', 'headers', 'timeout_ms', 'retries'].map((name) => `upstream.${name}`);
const settings =
  'host port workers trusted_proxies tls_certificate_file tls_key_file api_keys keys_file enable_landing_page enable_docs enable_redoc enable_openapi enabled_routers metrics_requires_auth rate_limit_enabled rate_limit_per_minute rate_limit_per_minute_authenticated redis_url redis_prefix rate_limit_on_store_failure cors_origins cors_credentials cors_max_age_seconds enable_compression body_bytes_max headers_timeout_ms request_timeout_ms service_timeout_ms keep_alive_timeout_ms drain_ms log_level log_sample_every reload_enabled endpoints_file services_dir crypto_upstream_url'.split(
    ' ',
  );
const keys = 'name owner prefix sha256 scopes created_at expires_at revoked_at'.split(' ');

describe('suggestField', () => {
  it.each([
    ['rate_limit', 'rate_limit_per_minute'],
    ['rateLimit', 'rate_limit_per_minute'],
    ['rate-limit-per-minute', 'rate_limit_per_minute'],
    ['limit', 'rate_limit_per_minute'],
    ['cache', 'cache_seconds'],
    ['cache_ttl', 'cache_seconds'],
    ['timeout', 'upstream.timeout_ms'],
    ['timeoutMs', 'upstream.timeout_ms'],
    ['auth', 'requires_auth'],
    ['authentication', 'requires_auth'],
    ['require_auth', 'requires_auth'],
    ['key', 'api_keys'],
    ['api_key', 'api_keys'],
    ['keys', 'api_keys'],
    ['scope', 'scopes'],
    ['target', 'upstream.targets'],
    ['retry', 'upstream.retries'],
    ['header', 'upstream.headers'],
    ['methode', 'method'],
    ['params', 'parameters'],
    ['desc', 'description'],
  ])('for the endpoint field %s, suggests %s', (name, meant) => {
    expect(suggestField(name, endpoint, upstream)).toBe(` Did you mean ${meant}?`);
  });

  it.each([
    [settings, 'rate_limit', 'rate_limit_enabled, rate_limit_per_minute'],
    [settings, 'timeout', 'request_timeout_ms'],
    [settings, 'prot', 'port'],
    [settings, 'cors', 'cors_origins'],
    [settings, 'max_body_size', 'body_bytes_max'],
    [settings, 'api_key', 'api_keys'],
    [settings, 'redis', 'redis_url'],
    [settings, 'key', 'api_keys, keys_file'],
    [settings, 'service_timeout', 'service_timeout_ms'],
    [settings, 'proxies', 'trusted_proxies'],
    [keys, 'expires', 'expires_at'],
    [keys, 'scope', 'scopes'],
  ])('among %o, for %s, suggests %s', (known, name, meant) => {
    expect(suggestField(name, known)).toMatch(new RegExp(`^ Did you mean .*${meant}`));
  });

  it.each(['url', 'ttl', 'quota', 'disabled', 'x', ''])('lists the fields when none is related to %j', (name) => {
    expect(suggestField(name, endpoint, upstream)).toBe(` Use one of: ${endpoint.join(', ')}.`);
  });

  it('lists a bounded number of fields', () => {
    const many = Array.from({ length: 500 }, (_, i) => `field${i}`);
    expect(suggestField('x', many)).toMatch(/^ Use one of: (field\d+(, )?){16} and 484 more\.$/);
  });
});

describe('didYouMean', () => {
  it('finds typos, other spellings of the same words, and prefixes', () => {
    const known = ['listPets', 'createPet', 'http'];
    expect(didYouMean('listPest', known)).toBe(' Did you mean listPets?');
    expect(didYouMean('list-pets', known)).toBe(' Did you mean listPets?');
    expect(didYouMean('htpt', known)).toBe(' Did you mean http?');
    expect(didYouMean('create', known)).toBe(' Did you mean createPet?');
    expect(didYouMean('warning', ['warn', 'error'])).toBe(' Did you mean warn?');
    expect(didYouMean('deletePet', known)).toBe('');
    expect(didYouMean('', ['ab', 'top'])).toBe('');
  });

  it('suggests only names that share a word or a prefix, or are a few letters off', () => {
    const all = [...endpoint, ...settings, ...keys, 'top', 'skip', 'FirstName', 'anna@example.com', 'x', 'listPets'];
    const name = fc.oneof(
      fc.constantFrom(...all),
      fc.string({ maxLength: 30 }),
      fc
        .array(fc.constantFrom('rate', 'auth', 'key', 'max', 'ms', 'url', 'cache', 'Time', 'out', 'per', 'enabled'), {
          maxLength: 4,
        })
        .map((words) => words.join('_')),
      fc
        .tuple(fc.constantFrom(...all), fc.nat(), fc.nat({ max: 4 }), fc.string({ maxLength: 3 }))
        .map(([text, at, cut, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + cut)),
    );
    fc.assert(
      fc.property(name, (given) => {
        for (const hint of [didYouMean(given, all), suggestField(given, all)]) {
          if (!hint.startsWith(' Did you mean ')) continue;
          for (const suggested of hint.slice(14, -1).split(/, | or /)) {
            expect(all).toContain(suggested);
            expect([given, suggested, isRelated(given, suggested)]).toEqual([given, suggested, true]);
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

/** Checks by other means than the code: a common prefix of four letters in a word, or few edits. */
function isRelated(given: string, suggested: string): boolean {
  const [a, b] = [given.toLowerCase(), suggested.toLowerCase()];
  const words = (text: string) =>
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu);
  const isSameStart = (one: string, other: string) => {
    const length = Math.min(4, one.length, other.length);
    return one === other || (length >= 2 && one.slice(0, length) === other.slice(0, length));
  };
  if ((words(given) ?? []).some((one) => (words(suggested) ?? []).some((other) => isSameStart(one, other))))
    return true;
  // Capitals split a name into words, but a prefix may contain any: `pAR` is one of `parameters`.
  if (a.length >= 3 && b.startsWith(a)) return true;
  // The same letters, regardless of separators and plurals.
  const letters = (text: string) => (words(text) ?? []).map((word) => word.replace(/s$/, '')).join('');
  if (letters(given) === letters(suggested) || a.replaceAll(/[^a-z0-9]/g, '') === b.replaceAll(/[^a-z0-9]/g, ''))
    return true;
  return editsBetween(a, b) * 4 <= Math.max(4, Math.min(a.length, b.length));
}

/** Counts edits; a swap of two letters counts as one. */
function editsBetween(a: string, b: string): number {
  if ([...a].sort().join('') === [...b].sort().join('')) return a === b ? 0 : 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
