import type { Environment } from '@rostergate/runtime/config';
import type { AccountEntry } from './keys-file-schema.ts';

/** Where passwords stand that are not in the keys file. */
export interface PasswordPlaces {
  readonly env: Environment;
  /** The text of a file by its path as the keys file has it; undefined when it cannot be had. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

export const passwordFields = ['password', 'password_env', 'password_file'] as const;
export type PasswordField = (typeof passwordFields)[number];

/** The password of an account, or what is wrong with the field that says where it is. */
export type PasswordReading = { readonly password: string } | { readonly field: PasswordField; readonly fault: string };

/** Reads the password of an account from the one place that its entry names. */
export async function readPassword(entry: AccountEntry, { env, readText }: PasswordPlaces): Promise<PasswordReading> {
  if (entry.password !== undefined) return { password: entry.password };
  if (entry.password_env !== undefined) {
    const field = 'password_env';
    const password = env[entry.password_env];
    // Never the name: it may be a password that somebody wrote in the wrong place.
    return password
      ? { password }
      : { field, fault: 'The environment has no such variable, or an empty one: export it beforehand.' };
  }
  const field = 'password_file';
  const text = await readText(entry.password_file ?? '');
  if (text === undefined)
    return {
      field,
      fault: 'There is no such file, or it cannot be read. A relative path begins at the folder of the keys file.',
    };
  // Editors and `echo` end a file with a line break, which no password ends with.
  const password = text.replace(/\r?\n$/, '');
  if (password === '') return { field, fault: 'The file is empty: write the password into it.' };
  return /[\r\n]/.test(password)
    ? { field, fault: 'The file has several lines: write the password alone.' }
    : { password };
}
