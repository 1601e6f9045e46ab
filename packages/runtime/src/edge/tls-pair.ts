import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate with the chain behind it, and its private key; both as PEM. */
export interface TlsPair {
  readonly certificate: string;
  readonly key: string;
}

export interface TlsPairFault {
  readonly part: keyof TlsPair;
  /** What is wrong and what to do; nothing of the key itself. */
  readonly detail: string;
}

/** What keeps a pair from being served with, in words; undefined for one that is good now. */
export function findTlsPairFault({ certificate, key }: TlsPair, nowMs: number): TlsPairFault | undefined {
  const leaf = attempt(() => new X509Certificate(certificate));
  if (leaf === undefined) {
    return {
      part: 'certificate',
      detail: 'This is no certificate: give a PEM file that begins with the server’s own.',
    };
  }
  const fromMs = Date.parse(leaf.validFrom);
  const toMs = Date.parse(leaf.validTo);
  if (nowMs > toMs) {
    return { part: 'certificate', detail: `The certificate expired on ${new Date(toMs).toISOString()}: renew it.` };
  }
  if (nowMs < fromMs) {
    const since = new Date(fromMs).toISOString();
    return { part: 'certificate', detail: `The certificate is good from ${since} on: set the clock, or wait.` };
  }
  if (/ENCRYPTED/.test(key)) {
    return {
      part: 'key',
      detail: 'The key is locked with a passphrase: give it unlocked, readable by the server alone.',
    };
  }
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined)
    return { part: 'key', detail: 'This is no private key: give a PEM file that holds one.' };
  if (!leaf.checkPrivateKey(privateKey)) {
    return { part: 'key', detail: 'The key belongs to another certificate: give the two that were made together.' };
  }
  const problem = attempt(() => createSecureContext(secureContextOptions({ certificate, key }))) === undefined;
  return problem
    ? { part: 'certificate', detail: 'OpenSSL refuses the pair: its key is too short or its signature too old.' }
    : undefined;
}

/** How a pair is served: TLS 1.2 at least. */
export function secureContextOptions({ certificate, key }: TlsPair) {
  return { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
