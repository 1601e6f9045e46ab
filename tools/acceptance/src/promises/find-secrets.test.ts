import { expect, test } from 'vitest';
import { createFindSecrets } from './find-secrets.ts';

const secret = 'Canary4Zq8LmT0xv';
const find = createFindSecrets([secret, 'Canary4Zq8L90000']);
const isFound = (text: string) => find(text).has(secret) && find(text).size === 1;

test.each([
  ['as it is', `key=${secret}.`],
  ['in upper case', secret.toUpperCase()],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['percent-encoded', encodeURIComponent(secret).replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)],
  ['in basic credentials', Buffer.from(`somebody:${secret}`).toString('base64')],
  ['in a token', Buffer.from(`{"k":"${secret}"}`).toString('base64url')],
  ['at any offset of base64', Buffer.from(`ab${secret}cd`).toString('base64')],
])('finds a secret %s', (_, text) => {
  expect(isFound(text)).toBe(true);
});

test('finds nothing in a text without the secret', () => {
  expect(isFound(Buffer.from('somebody:Canary4Zq8LmT').toString('base64'))).toBe(false);
});
