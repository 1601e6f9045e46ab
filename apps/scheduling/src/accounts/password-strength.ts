const lengthMin = 12;
const lengthMax = 256;
const differentMin = 5;

/** What is wrong with a new password; undefined when it will do. Length is what counts (NIST SP 800-63B §3.1.1). */
export function findPasswordFault(password: string, email: string): string | undefined {
  const letters = [...password.normalize('NFC')];
  if (letters.length < lengthMin) return `The password needs at least ${lengthMin} characters.`;
  if (letters.length > lengthMax) return `The password may have up to ${lengthMax} characters.`;
  if (new Set(letters).size < differentMin) return `The password needs at least ${differentMin} different characters.`;
  if (isMadeOf(password, email)) return 'The password must be something else than the e-mail address.';
  return undefined;
}

/** Whoever guesses begins with the address and its parts, once or repeated. */
function isMadeOf(password: string, email: string): boolean {
  const plain = password.toLowerCase();
  const address = email.toLowerCase();
  return [address, ...address.split('@')].some((part) => part !== '' && plain.replaceAll(part, '').length < 4);
}

/** A password that nobody has to remember: 144 bits, in letters that no shell has to quote. */
export function createPassword(randomBytes: (size: number) => Buffer): string {
  return randomBytes(18).toString('base64url');
}
