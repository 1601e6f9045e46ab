import { hkdfSync } from 'node:crypto';
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose';

export interface SealedCookieOptions {
  /** The name after `__Host-`. */
  readonly name: string;
  readonly secret: string;
  /** What the content is for. A cookie with another purpose is rejected. */
  readonly purpose: string;
  readonly seconds: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A cookie with encrypted content, which every gateway with the same secret can open. */
export interface SealedCookie<T> {
  /** Returns the Set-Cookie field with a content. */
  seal(content: T): Promise<string>;
  /** Returns the content of a Cookie field; undefined when it is absent, repeated, changed or expired. */
  open(field: string | undefined): Promise<T | undefined>;
  /** The Set-Cookie field that removes it. */
  readonly removal: string;
}

export function createSealedCookie<T extends JWTPayload>(options: SealedCookieOptions): SealedCookie<T> {
  const { secret, purpose, seconds, clock } = options;
  const name = `__Host-${options.name}`;
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `rostergate ${name} ${purpose}`, 32));
  // Lax: the browser sends it when the issuer redirects back, and with no POST of another site.
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';
  return {
    async seal(content) {
      const nowSeconds = Math.floor(clock() / 1000);
      const sealed = await new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(nowSeconds + seconds)
        .encrypt(key);
      return `${name}=${sealed}; ${attributes}; Max-Age=${seconds}`;
    },
    async open(field) {
      const [text, another] = valuesOf(field, name);
      if (text === undefined || another !== undefined) return undefined;
      try {
        const { payload } = await jwtDecrypt<T>(text, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp'],
          currentDate: new Date(clock()),
        });
        return payload;
      } catch {
        return undefined;
      }
    },
    removal: `${name}=; ${attributes}; Max-Age=0`,
  };
}

function valuesOf(field = '', name: string): string[] {
  const pairs = field.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
