import { hash } from 'node:crypto';
import { ConfigError, checkJsonFile, faultAt, fieldName, parseJsonFile } from '@rostergate/config';
import { z } from 'zod';
import { type PasswordHash, parsePasswordHash } from './password.ts';

export interface AccountEntry {
  readonly email: string;
  readonly password: PasswordHash;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}

/**
 * Returns a digest of the entry. It ignores the letter case of the e-mail and reveals no more than the password hash.
 */
export function digestOfEntry({ email, password, companyKey, isAdmin }: AccountEntry): string {
  return hash('sha256', JSON.stringify([email.toLowerCase(), password, companyKey, isAdmin]), 'base64url');
}

/**
 * Parses `[{ email, password, company_key, admin }]`, with passwords as scrypt hashes.
 * @throws ConfigError with every fault and its place, and never a password
 */
export function parseAccountsFile(text: string, path: string): readonly AccountEntry[] {
  const file = parseJsonFile(text, path);
  const entries = checkJsonFile(accountsSchema, file);
  const seen = new Map<string, number>();
  const faults = entries.flatMap(({ email }, index) => {
    const first = seen.get(email.toLowerCase());
    if (first === undefined) {
      seen.set(email.toLowerCase(), index);
      return [];
    }
    const place = [index, 'email'];
    return [faultAt(file.locate(place), fieldName(place), `Account ${first} already has this address.`)];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(
    entries.map(({ email, password, company_key, admin }) =>
      Object.freeze({ email, password, companyKey: company_key, isAdmin: admin }),
    ),
  );
}

const accountsSchema = z.array(
  z.strictObject({
    email: z
      .string()
      .min(3)
      .max(320)
      .describe('The e-mail address that the account logs in with; letter case does not matter.'),
    password: z
      .string()
      .transform((text, context) => {
        const hash = parsePasswordHash(text);
        if (hash !== undefined) return hash;
        context.addIssue('Write a hash: scrypt:<N>:<r>:<p>:<salt>:<hash>, salt and hash in base64url.');
        return z.NEVER;
      })
      .meta({ secret: true }),
    company_key: z.string().min(1).describe('The company that the account belongs to.'),
    admin: z.boolean().default(false).describe('Whether the account may write, and sees tags, skills and profiles.'),
  }),
);
