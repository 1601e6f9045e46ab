/** What the patterns of the contract's configuration schemas ask for, in words that follow "It". */
export const patternMessages: Readonly<Record<string, string>> = {
  '^/': 'must begin with /',
  '^https?://': 'must begin with http:// or https://',
  '^$|^rediss?://': 'must begin with redis:// or rediss://, or be empty',
  '^(\\*|https?://[^/?#\\s]+)$': 'must be * or an origin such as https://app.example, without a path',
  '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$':
    'must be an address that begins with http:// or https://, without credentials, query and fragment',
  '^[\\x21\\x23-\\x2b\\x2d-\\x5b\\x5d-\\x7e]+$':
    'must hold printable ASCII without spaces, commas, quotes and backslashes',
  '^[A-Za-z0-9][A-Za-z0-9._@-]*$': 'must begin with a letter or digit, and hold letters, digits and . _ @ - only',
  '^[0-9a-f]{64}$': 'must be 64 lower-case hexadecimal digits',
};
