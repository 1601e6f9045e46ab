import { secretForms } from './secret-forms.ts';

/** Tells which of the secrets stand in a text, in any of their forms. */
export type FindSecrets = (text: string) => ReadonlySet<string>;

const startLength = 12;

/** @param secrets of 16 characters at least: many of them are looked for in one pass */
export function createFindSecrets(secrets: Iterable<string>): FindSecrets {
  const byStart = new Map<string, { readonly form: string; readonly secret: string }[]>();
  for (const secret of secrets) {
    if (secret.length < 16) throw new RangeError('A secret that short would be found by chance.');
    for (const form of secretForms(secret)) {
      const start = form.slice(0, startLength);
      byStart.set(start, [...(byStart.get(start) ?? []), { form, secret }]);
    }
  }
  return (text) => {
    const lower = text.toLowerCase();
    const found = new Set<string>();
    for (let at = 0; at + startLength <= lower.length; at++) {
      const candidates = byStart.get(lower.slice(at, at + startLength));
      if (candidates === undefined) continue;
      for (const { form, secret } of candidates) if (lower.startsWith(form, at)) found.add(secret);
    }
    return found;
  };
}
