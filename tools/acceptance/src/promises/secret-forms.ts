/**
 * The texts by which a secret would be known again, whatever has been done to it: as it is, in hexadecimal, with every
 * letter by its number, and in base64 and base64url wherever in what was encoded it stood. In lower case, for whoever
 * searches texts in lower case.
 */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const encoded = (['base64', 'base64url'] as const).flatMap((coding) =>
    // What stands at the borders mixes with what is beside it.
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
