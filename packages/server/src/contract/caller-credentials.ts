/** Shorter texts are no credentials, and occur by chance. */
const lengthMin = 8;

/**
 * Returns the credentials of a request, which the errors of a service or a policy may repeat.
 * @param request with names and values of its headers in turn
 */
export function credentialsOf({ rawHeaders }: { readonly rawHeaders: readonly string[] }): readonly string[] {
  const credentials: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i], rawHeaders[i + 1]] as [string, string];
    // Comparing lengths first halves the time.
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') credentials.push(value);
    if (name.length === 13 && name.toLowerCase() === 'authorization') credentials.push(value.replace(/^\S+ +/, ''));
  }
  return credentials.filter(({ length }) => length >= lengthMin);
}

/** Returns the text with a mark in the place of each credential. */
export function withoutCredentials(text: string, credentials: readonly string[]): string {
  return credentials.reduce((rest, credential) => rest.replaceAll(credential, '[credential]'), text);
}
