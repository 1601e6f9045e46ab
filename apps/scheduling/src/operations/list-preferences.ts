/**
 * Returns whether Accept names the OData envelope and does not prefer the bare array (RFC 9110 §12.5.1). For wildcards
 * the server chooses the array.
 */
export function prefersEnvelope(accept = ''): boolean {
  if (!/odata\.metadata/i.test(accept)) return false;
  let envelope = 0;
  let array = 0;
  for (const range of accept.toLowerCase().match(mediaRange) ?? []) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    if (type !== 'application/json') continue;
    const format = parameters.find((one) => one.startsWith('odata.metadata='));
    const weight = weightOf(parameters);
    if (format === undefined) array = Math.max(array, weight);
    else if (minimal.has(format)) envelope = Math.max(envelope, weight);
  }
  return envelope > 0 && envelope >= array;
}

/** A comma within quotes is part of a parameter. */
const mediaRange = /(?:[^,"]|"[^"]*")+/g;
const minimal: ReadonlySet<string> = new Set(['odata.metadata=minimal', 'odata.metadata="minimal"']);

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}

/** One preference: a name with a value, and parameters, which are ignored (RFC 7240 §2). */
const preference =
  /[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*([^\s",;]+|"(?:[^"\\]|\\.)*"))?((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y;

/**
 * Returns the preferred page size: `maxpagesize`, with or without `odata.` (OData protocol 4.01, section 8.2.8.5). The
 * first one counts (RFC 7240 §2); an invalid number is ignored.
 */
export function parsePagePreference(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join(',');
  preference.lastIndex = 0;
  while (preference.lastIndex < text.length) {
    const found = preference.exec(text);
    if (found === null) return undefined;
    const [, name = '', value = ''] = found;
    if (!/^(odata\.)?maxpagesize$/i.test(name)) continue;
    const digits = value.startsWith('"') ? value.slice(1, -1) : value;
    return /^0*[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
  }
  return undefined;
}
