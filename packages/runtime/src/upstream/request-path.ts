import { createValidationProblem, type Fault } from '../problem/index.ts';

/** Writes the path of one request from the values of its parameters. */
export type WritePath = (parameters: Readonly<Record<string, unknown>>) => string;

/**
 * Reads a path template with `{name}` as whole segments. A value cannot leave the place it was given: what is reserved
 * is percent-encoded (RFC 3986 §2.2), and what would climb out of it once a server has decoded it is refused.
 */
export function createPathWriter(template: string): WritePath {
  const [first = '', ...rest] = template.split(/\{([^{}/]+)\}/);
  if (rest.length === 0) return () => first;
  return (parameters) => {
    let path = first;
    const errors: Fault[] = [];
    for (let i = 0; i < rest.length; i += 2) {
      const name = rest[i] as string;
      const value = String(parameters[name] ?? '');
      if (isUnsafe(value))
        errors.push({ parameter: name, detail: 'must not be empty, dots or hold control characters' });
      else path += encodeURIComponent(value) + (rest[i + 1] as string);
    }
    if (errors.length > 0) throw createValidationProblem(errors);
    return path;
  };
}

/** The names in a template, in their order. */
export function namesInPath(template: string): string[] {
  return [...template.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name as string);
}

/** The query of an address as it stands, with its question mark; what a URI may not hold (RFC 3986 §2.1) is encoded. */
export function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start).replaceAll(/[^\x21-\x7e]|[#"<>\\^`{|}]/g, encodeByte);
}

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function isUnsafe(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: just those are looked for.
  return value === '' || /[\0-\x1f\x7f]/.test(value) || !value.isWellFormed() || value.split(/[/\\]/).some(isDots);
}

/** As it stands, or encoded once more: some servers decode twice. */
function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
