/** Licenses that let anyone run, change and sell what they have from us; each by its SPDX name. */
const allowedLicenses: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Whether an SPDX expression leaves a way that is allowed; what it cannot be read for is not. */
export function isAllowed(expression: string): boolean {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (text.includes('(')) return false;
  return text.split(/ OR /).some((choice) => choice.split(/ AND /).every((name) => allowedLicenses.has(name.trim())));
}
