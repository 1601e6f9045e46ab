import type { IncomingMessage } from 'node:http';

/** Shorter texts are no credentials, and occur by chance. */
const lengthMin = 8;

/** Returns the credentials of a request, which the errors of a service or a policy may repeat. */
export function credentialsOf({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const { 'x-api-key': key, authorization } = headers;
  if (key === undefined && authorization === undefined) return none;
  const given = [String(key ?? ''), (authorization ?? '').replace(/^\S+ +/, '')];
  return given.filter(({ length }) => length >= lengthMin);
}

const none: readonly string[] = [];

/** Returns the text with a mark in the place of each credential. */
export function withoutCredentials(text: string, credentials: readonly string[]): string {
  return credentials.reduce((rest, credential) => rest.replaceAll(credential, '[credential]'), text);
}
