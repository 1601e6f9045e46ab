/** Returns the secrets that a text contains in any form. */
export type FindSecrets = (text: string) => ReadonlySet<string>;

const startLength = 12;

/** Searches for many secrets in one pass. @param secrets have at least 16 characters */
export function createFindSecrets(secrets: Iterable<string>): FindSecrets {
  const byStart = new Map<string, { readonly form: string; readonly secret: string }[]>();
  for (const secret of secrets) {
    if (secret.length < 16)
      throw new RangeError('A secret needs at least 16 characters: shorter ones match by chance.');
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

/**
 * Returns the forms that disclose a secret: plain, hexadecimal, percent-encoded, and base64 and base64url at any offset
 * of the encoded text. All are in lower case, for a search in lower-case text.
 */
function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const encoded = (['base64', 'base64url'] as const).flatMap((coding) =>
    // The first and last characters mix with their neighbours.
    [0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString(coding)
        .replaceAll('=', '')
        .slice(before === 0 ? 0 : before + 1, -2),
    ),
  );
  const forms = [
    secret,
    hex,
    hex.replaceAll(/../g, '%$&'),
    hex.replaceAll(/../g, '%25$&'),
    hex.replaceAll(/../g, '\\x$&'),
    hex.replaceAll(/../g, '\\u00$&'),
    ...encoded,
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}
