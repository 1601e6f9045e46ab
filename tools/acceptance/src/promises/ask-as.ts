import type { Ask } from '../staff/find-person.ts';

/** Returns a function that sends JSON requests with these fields. */
export function askAs(url: string, fields: Readonly<Record<string, string>>): Ask {
  return async (path, { method = 'GET', json } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...fields, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
    const { status, headers } = response;
    return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
  };
}

/** Logs in; resolves with the header field of the token. */
export async function logIn(url: string, email: string, password: string): Promise<{ Authorization: string }> {
  const { status, body } = await askAs(url, {})('/v2/login', { method: 'POST', json: { email, password } });
  if (status !== 200) throw new Error(`The login of ${email} at ${url} has status ${status}.`);
  return { Authorization: `Bearer ${body.access_token}` };
}
