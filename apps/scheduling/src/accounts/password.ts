import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** The scrypt cost that OWASP's Password Storage Cheat Sheet recommends: 128 MiB and about 0.4 s of one core. */
export const passwordCost: ScryptCost = Object.freeze({ N: 131_072, r: 8, p: 1 });
const hashBytes = 32;
/** Shorter hashes match nothing: every password would match an empty one, and every 256th one of a byte. */
const hashBytesMin = 16;
const form = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]+)$/;

/** A stored password: `scrypt:<N>:<r>:<p>:<salt>:<hash>` (RFC 7914), salt and hash in base64url. */
export type PasswordHash = string & { readonly PasswordHash: never };

/** Returns undefined for an invalid or short hash, or one that needs more than 256 MiB. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, N, r, p, , hash = ''] = form.exec(text) ?? [];
  if (N === undefined || memoryOf(Number(N), Number(r)) > 268_435_456) return undefined;
  // scrypt needs N < 2^(16 r).
  if (Number(N) >= 2 ** (16 * Number(r)) || Number(p) < 1 || Number(p) > 16) return undefined;
  if (Buffer.from(hash, 'base64url').length < hashBytesMin) return undefined;
  return (Number(N) & (Number(N) - 1)) === 0 && Number(N) > 1 ? (text as PasswordHash) : undefined;
}

export async function hashPassword(
  password: string,
  cost: ScryptCost = passwordCost,
  salt: Buffer = randomBytes(16),
): Promise<PasswordHash> {
  return formatHash(cost, salt, await derive(password, salt, cost));
}

/**
 * Returns a hash that no password matches. Verifying against it takes as long as against any other hash of this cost.
 */
export function createUnknownHash(cost: ScryptCost = passwordCost): PasswordHash {
  return formatHash(cost, randomBytes(16), randomBytes(hashBytes));
}

/** Runs off the event loop, and takes equally long for any password. */
export async function verifyPassword(stored: PasswordHash, password: string): Promise<boolean> {
  const [, N, r, p, salt, hash] = form.exec(stored) as unknown as [string, string, string, string, string, string];
  const expected = Buffer.from(hash, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), options, expected.length);
  // A database may contain a short hash that an earlier version has accepted.
  return expected.length >= hashBytesMin && timingSafeEqual(derived, expected);
}

/** Returns whether the hash costs less than `cost`, so that the password has to be hashed again. */
export function isOutdated(stored: PasswordHash, cost: ScryptCost = passwordCost): boolean {
  const [, N, r, p] = form.exec(stored) ?? [];
  return Number(N) * Number(r) * Number(p) < cost.N * cost.r * cost.p;
}

function derive(password: string, salt: Buffer, options: ScryptCost, bytes = hashBytes): Promise<Buffer> {
  const maxmem = 2 * memoryOf(options.N, options.r);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, bytes, { ...options, maxmem }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}

function formatHash({ N, r, p }: ScryptCost, salt: Buffer, hash: Buffer): PasswordHash {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':') as PasswordHash;
}

function memoryOf(N: number, r: number): number {
  return 128 * N * r;
}

const lengthMin = 12;
const lengthMax = 256;
const differentMin = 5;

/** Returns why a new password is rejected; undefined for a good one. Length matters most (NIST SP 800-63B §3.1.1). */
export function findPasswordFault(password: string, email: string): string | undefined {
  const letters = [...password.normalize('NFC')];
  if (letters.length < lengthMin) return `The password needs at least ${lengthMin} characters.`;
  if (letters.length > lengthMax) return `The password may have up to ${lengthMax} characters.`;
  if (new Set(letters).size < differentMin) return `The password needs at least ${differentMin} different characters.`;
  if (isBasedOn(password, email)) return 'The password must differ from the e-mail address.';
  return undefined;
}

/** Attackers try the address and its parts first, once or repeated. */
function isBasedOn(password: string, email: string): boolean {
  const plain = password.toLowerCase();
  const address = email.toLowerCase();
  return [address, ...address.split('@')].some((part) => part !== '' && plain.replaceAll(part, '').length < 4);
}

/** Returns a random password of 144 bits, in characters that need no quoting in a shell. */
export function createPassword(randomBytes: (size: number) => Buffer): string {
  return randomBytes(18).toString('base64url');
}
