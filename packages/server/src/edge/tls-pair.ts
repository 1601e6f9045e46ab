import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate chain, the server's certificate first, and its private key; both as PEM. */
export interface TlsPair {
  readonly certificate: string;
  readonly key: string;
}

export interface TlsPairFault {
  readonly part: keyof TlsPair;
  /** What is wrong and what to do; never contains the key. */
  readonly detail: string;
}

/** Returns why a server cannot use the pair, if it cannot. Without `nowMs` the time is not checked. */
export function findTlsPairFault({ certificate, key }: TlsPair, nowMs?: number): TlsPairFault | undefined {
  const leaf = attempt(() => new X509Certificate(certificate));
  if (leaf === undefined) {
    return {
      part: 'certificate',
      detail: 'This is not a certificate: give a PEM file that begins with the server’s certificate.',
    };
  }
  const fromMs = Date.parse(leaf.validFrom);
  const toMs = Date.parse(leaf.validTo);
  if (nowMs !== undefined && nowMs > toMs) {
    return { part: 'certificate', detail: `The certificate expired on ${new Date(toMs).toISOString()}: renew it.` };
  }
  if (nowMs !== undefined && nowMs < fromMs) {
    const since = new Date(fromMs).toISOString();
    return { part: 'certificate', detail: `The certificate is not valid before ${since}: set the clock, or wait.` };
  }
  if (/ENCRYPTED/.test(key)) {
    return {
      part: 'key',
      detail: 'The key is encrypted with a passphrase: give it decrypted, readable only by the server.',
    };
  }
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined)
    return { part: 'key', detail: 'This is not a private key: give a PEM file that contains one.' };
  if (!leaf.checkPrivateKey(privateKey)) {
    return { part: 'key', detail: 'The key belongs to another certificate: give a certificate and key that match.' };
  }
  const problem = attempt(() => createSecureContext(secureContextOptions({ certificate, key }))) === undefined;
  return problem
    ? {
        part: 'certificate',
        detail: 'OpenSSL rejects the pair: its key is too short or its signature algorithm is obsolete.',
      }
    : undefined;
}

/** Returns the TLS options of a server with this pair: TLS 1.2 or later. */
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
