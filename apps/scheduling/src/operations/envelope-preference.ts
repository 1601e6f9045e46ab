/**
 * Whether the caller asks for the OData envelope by name, and would not rather have the bare array (RFC 9110 §12.5.1).
 * Wildcards leave the choice to the server, which answers with the array.
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
