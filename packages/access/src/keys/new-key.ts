import { crc32 } from 'node:zlib';
import { keyDigest } from './keyring.ts';

/** Returns that many random bytes, such as `randomBytes` of node:crypto. */
export type RandomBytes = (count: number) => Uint8Array;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 190 bits: impossible to guess, and short enough to paste. */
const randomLength = 32;

/**
 * Returns a new key, `<prefix>_live_<random base62>_<crc32>`, and the digest to store in its place.
 * @throws RangeError for a prefix that is not 2–16 lower-case letters and digits
 */
export function createKey(prefix: string, random: RandomBytes): { readonly key: string; readonly sha256: string } {
  if (!/^[a-z][a-z0-9]{1,15}$/.test(prefix)) {
    throw new RangeError('A key prefix is 2 to 16 lower-case letters and digits, beginning with a letter.');
  }
  const stem = `${prefix}_live_${randomText(random)}`;
  const key = `${stem}_${checksumOf(stem)}`;
  return { key, sha256: keyDigest(key) };
}

/**
 * Returns the prefix of a key that `createKey` could have made; null for any other text. The checksum distinguishes a
 * mistyped or truncated key from a revoked one, and lets secret scanners recognize keys.
 */
export function parseKey(text: string): { readonly prefix: string } | null {
  const match = /^(([a-z][a-z0-9]{1,15})_live_[0-9A-Za-z]{32})_([0-9a-f]{8})$/.exec(text);
  if (match === null) return null;
  const [, stem, prefix, checksum] = match as unknown as [string, string, string, string];
  return checksumOf(stem) === checksum ? { prefix } : null;
}

function checksumOf(stem: string): string {
  return crc32(stem).toString(16).padStart(8, '0');
}

function randomText(random: RandomBytes): string {
  let text = '';
  while (text.length < randomLength) {
    for (const byte of random(randomLength)) {
      // 248 is the largest multiple of 62 in a byte: higher values would favour the first letters.
      if (byte < 248 && text.length < randomLength) text += base62[byte % 62];
    }
  }
  return text;
}
