import type { Environment } from '@rostergate/config';
import type { AccountEntry } from './keys-file-schema.ts';

/** The sources of passwords outside the keys file. */
export interface PasswordSources {
  readonly env: Environment;
  /** Returns the text of a file by its path in the keys file; undefined when it cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

export const passwordFields = ['password', 'password_env', 'password_file'] as const;
export type PasswordField = (typeof passwordFields)[number];

/** The password of an account, or the fault of the field that names its source. */
export type PasswordReading = { readonly password: string } | { readonly field: PasswordField; readonly fault: string };

/** Reads the password of an account from the source that its entry names. */
export async function readPassword(entry: AccountEntry, { env, readText }: PasswordSources): Promise<PasswordReading> {
  if (entry.password !== undefined) return { password: entry.password };
  if (entry.password_env !== undefined) {
    const field = 'password_env';
    const password = env[entry.password_env];
    // The name is not repeated: it may be a password in the wrong field.
    return password ? { password } : { field, fault: 'The environment variable is not set or empty: export it first.' };
  }
  const field = 'password_file';
  const text = await readText(entry.password_file ?? '');
  if (text === undefined)
    return {
      field,
      fault: 'There is no such file, or it cannot be read. A relative path starts at the folder of the keys file.',
    };
  // Editors and `echo` end a file with a line break.
  const password = text.replace(/\r?\n$/, '');
  if (password === '') return { field, fault: 'The file is empty: write the password into it.' };
  return /[\r\n]/.test(password)
    ? { field, fault: 'The file has several lines: write only the password.' }
    : { password };
}
