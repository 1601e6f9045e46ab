import { z } from 'zod';

const filled = z.string().min(1, 'Write at least one character.');
const label = z
  .string()
  .max(128)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._@-]*$/,
    'Write letters, digits and . _ @ -, beginning with a letter or digit, such as ops or ops@example.org.',
  );
const moment = z.iso.datetime({ offset: true, error: 'Write a time such as 2030-01-31T00:00:00Z.' });
const operationIds = z.array(z.string()).min(1, 'Name at least one operation.');

const accountSchema = z.strictObject({
  email: filled.describe('E-mail address that the proxy logs in to the upstream with.'),
  password: filled.optional().meta({ secret: true, description: 'The password itself.' }),
  password_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Write the name of a variable, such as STAFF_PASSWORD, and never the password.')
    .optional()
    // It may contain the password by mistake, which must not be logged.
    .meta({ secret: true, description: 'Name of the environment variable with the password.' }),
  password_file: filled.optional().meta({
    secret: true,
    description: 'Path of a file that contains only the password, relative to the keys file.',
  }),
  company_key: filled.describe('The company of the account.'),
  admin: z
    .boolean()
    .default(false)
    .describe('Whether keys of the account may write and see tags, skills and profiles.'),
});

const keySchema = z.strictObject({
  name: label.describe('Name of the key in logs and metrics, and for logins.'),
  owner: label.describe('Holder of the key. The keys of one owner share a limit.'),
  prefix: z.string().max(32).optional().describe('The first characters of the key, to identify it.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'Write the SHA-256 of the key, 64 hexadecimal digits, and never the key itself.')
    .toLowerCase()
    .meta({ secret: true, description: 'SHA-256 of the key in hexadecimal. The key itself is not stored.' }),
  account: filled.describe('Name of the service account of the key.'),
  company_key: filled
    .optional()
    .describe("Company of the key, where the account serves several. Default: the account's."),
  read_only: z.boolean().default(false).describe('Whether the key may only read.'),
  operations: z
    .strictObject({
      allow: operationIds.optional().describe('The only operations that the key may call.'),
      deny: operationIds.optional().describe('Operations that the key must not call.'),
    })
    .optional()
    .describe('Allowed or denied operations of the contract, by operationId.'),
  pass_through: z
    .array(z.string())
    .min(1, 'Name at least one entry.')
    .optional()
    .describe(
      'Names of entries of `pass_through` in the settings that the key may call. Without it, the key may call none.',
    ),
  unknown_members: z
    .enum(['drop', 'keep'])
    .default('drop')
    .describe(
      'Whether responses keep members that the contract lacks. Only with `upstream_form: vendor` and an account with `admin: true`, because such a member may contain anything.',
    ),
  plan: label
    .max(64)
    .optional()
    .describe(
      'The plan of the owner, one of `plans` in the settings. Keys of one owner that name a plan name the same one, and the others have it too.',
    ),
  created_at: moment.nullish().describe('When the key was created.'),
  expires_at: moment.nullish().describe('When the key expires; null for never.'),
  revoked_at: moment.nullish().describe('When the key was revoked; null if it was not.'),
});

const tokenSchema = z.strictObject({
  issuer: filled.describe('Name of an issuer in `jwt_issuers` of the settings.'),
  claim: filled.optional().describe('Claim that selects the entry. Default: `owner_claim` of the issuer.'),
  value: filled.describe('Value of the claim, or a member of it when it is a list. The first entry that fits applies.'),
  account: keySchema.shape.account.describe('Name of the service account of these callers.'),
  company_key: keySchema.shape.company_key,
  plan: label.optional().describe('The plan of these callers, one of `plans` in the settings.'),
  read_only: z.boolean().default(false).describe('Whether these callers may only read.'),
  operations: keySchema.shape.operations,
  pass_through: keySchema.shape.pass_through,
  unknown_members: keySchema.shape.unknown_members,
});

/** The keys file: the accounts at the upstream by name, and the keys of callers. */
export const keysFileSchema = z.strictObject({
  accounts: z.record(label, accountSchema).describe('The service accounts at the upstream, by name.'),
  keys: z.array(keySchema).default([]).describe('The keys of callers.'),
  tokens: z
    .array(tokenSchema)
    .default([])
    .describe('Which callers with an access token (JWT) use which service account.'),
});

/** The fields of a key that only the proxy reads. */
export const keyGrantsSchema = keySchema.pick({
  account: true,
  company_key: true,
  read_only: true,
  operations: true,
  pass_through: true,
  unknown_members: true,
});

export type AccountEntry = Readonly<z.output<typeof accountSchema>>;
export type TokenEntry = Readonly<z.output<typeof tokenSchema>>;
/** What a key or token may do, and through which account. */
export type KeyGrants = Readonly<z.output<typeof keyGrantsSchema>>;
export type KeyEntry = Readonly<z.output<typeof keySchema>>;
