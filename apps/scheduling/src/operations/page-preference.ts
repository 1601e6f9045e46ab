/** One preference: a name with a value, and parameters, which no preference here has (RFC 7240 §2). */
const preference =
  /[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*([^\s",;]+|"(?:[^"\\]|\\.)*"))?((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y;

/**
 * How many people at a time the caller prefers: `maxpagesize`, with or without `odata.` (OData protocol 4.01, section
 * 8.2.8.5). The first one counts (RFC 7240 §2); what is no such number, or none at all, is passed over.
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
