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
  email: filled.describe('What the proxy logs in to the upstream with.'),
  password: filled.optional().meta({ secret: true, description: 'The password itself.' }),
  password_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Write the name of a variable, such as STAFF_PASSWORD, and never the password.')
    .optional()
    // Whoever mistakes it for the password must not see that in a log.
    .meta({ secret: true, description: 'The variable of the environment that holds the password.' }),
  password_file: filled.optional().meta({
    secret: true,
    description: 'The file that holds the password and nothing else; its path is relative to the keys file.',
  }),
  company_key: filled.describe('The company that the account belongs to.'),
  admin: z.boolean().default(false).describe('Whether the account may write, and sees tags, skills and profiles.'),
});

const keySchema = z.strictObject({
  name: label.describe('What the key is called in logs and metrics, and what its holder logs in with.'),
  owner: label.describe('Who holds it. Limits count per owner, however many keys one has.'),
  prefix: z.string().max(32).optional().describe('What the key begins with, so that it can be told from others.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'Write the SHA-256 of the key, 64 hexadecimal digits, and never the key itself.')
    .toLowerCase()
    .meta({ secret: true, description: 'SHA-256 of the key in hexadecimal. The key itself is kept nowhere.' }),
  account: filled.describe('Name of the service account that the key stands for.'),
  company_key: filled
    .optional()
    .describe("The company that the key stands for, where the account serves several; the account's otherwise."),
  read_only: z.boolean().default(false).describe('Whether the key may only read.'),
  operations: z
    .strictObject({
      allow: operationIds.optional().describe('All that the key may do.'),
      deny: operationIds.optional().describe('What the key may not do.'),
    })
    .optional()
    .describe('The operations that the key may do, or may not do, by operationId.'),
  created_at: moment.nullish().describe('When it was made.'),
  expires_at: moment.nullish().describe('When it ends; null for never.'),
  revoked_at: moment.nullish().describe('When it was taken back; null if it was not.'),
});

/** The keys file: the accounts at the upstream by name, and the keys of callers. */
export const keysFileSchema = z.strictObject({
  accounts: z.record(label, accountSchema).describe('The service accounts at the upstream, by name.'),
  keys: z.array(keySchema).default([]).describe('The keys of callers.'),
});

export type AccountEntry = Readonly<z.output<typeof accountSchema>>;
export type KeyEntry = Readonly<z.output<typeof keySchema>>;
