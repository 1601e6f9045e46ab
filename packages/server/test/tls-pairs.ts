import { readFileSync } from 'node:fs';
import type { TlsPair } from '../src/edge/index.ts';

/** Returns a certificate and key for tests, valid for a hundred years. OpenSSL rejects `weak`. */
export function tlsPair(name: 'first' | 'second' | 'weak'): TlsPair {
  return { certificate: pem(`${name}.certificate`), key: pem(`${name}.key`) };
}

export function pem(name: string): string {
  return readFileSync(new URL(`./tls/${name}.pem`, import.meta.url), 'utf8');
}
