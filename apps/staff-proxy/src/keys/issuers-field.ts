import { z } from 'zod';

const issuerSchema = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'Write lower-case letters, digits and -, beginning with a letter or digit.')
    .describe('Name of the issuer in `tokens` of the keys file, in logs and in metrics.'),
  issuer: url(/^https?:\/\/[^?#@\s]+$/).describe('URL of the issuer, exactly as in the claim `iss` of its tokens.'),
  audiences: z
    .array(z.string().min(1).max(1024))
    .min(1)
    .max(32)
    .describe('Accepted audiences. A token whose claim `aud` contains none of them is rejected.'),
  jwks_url: url(/^https?:\/\/[^#@\s]+$/)
    .nullish()
    .describe('URL of the public keys of the issuer (a JWK set). By default it is discovered.'),
  algorithms: z
    .array(
      z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']),
    )
    .min(1)
    .default(['RS256', 'ES256'])
    .describe('Accepted signature algorithms. All are asymmetric.'),
  token_types: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(8)
    .default(['at+jwt'])
    .describe('Accepted values of the header parameter `typ`. `JWT` also accepts a token without `typ`.'),
  owner_claim: z
    .string()
    .min(1)
    .max(128)
    .default('sub')
    .describe('Claim that identifies the caller. Requests are counted per owner, `<name>:<claim>`.'),
  clock_tolerance_seconds: z
    .int()
    .min(0)
    .max(300)
    .default(5)
    .describe('Maximum difference between the clocks of the issuer and of this server, in seconds.'),
  keys_refresh_seconds: z
    .int()
    .min(30)
    .max(86_400)
    .default(300)
    .describe('Age at which the public keys are fetched again, in seconds.'),
  keys_stale_seconds_max: z
    .int()
    .min(30)
    .max(2_592_000)
    .default(86_400)
    .describe('Maximum age of the public keys while the issuer is unreachable, in seconds.'),
});

/** The setting `jwt_issuers` of the proxy, whose tokens have no scopes of their own. */
export const issuersField = z
  .array(issuerSchema)
  .max(32)
  .default([])
  .describe(
    'Issuers of access tokens (JWT), as in the settings of the gateway. `tokens` of the keys file assigns their callers to service accounts.',
  );

export type IssuerSettings = Readonly<z.output<typeof issuerSchema>>;

function url(pattern: RegExp) {
  return z
    .string()
    .max(1024)
    .regex(pattern, 'Write an address that begins with https://, without credentials and fragment.');
}
