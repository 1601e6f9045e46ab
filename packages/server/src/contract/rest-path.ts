import { createValidationProblem, type Fault } from '../problem/index.ts';
import type { CheckRequest } from './request-validator.ts';
import type { Route } from './route.ts';

/**
 * Returns why the rest of a prefix route's path is rejected, or undefined for plain segments. `text` is percent-encoded as
 * the client wrote it. Servers read the rejected forms differently (RFC 3986 §6.2.2), so a path that this server matched
 * as one could reach an upstream as another.
 */
export function findRestFault(text: string): string | undefined {
  if (text.includes('\\')) return 'must not contain a backslash';
  if (text.includes(';')) return 'must not contain ";"';
  const decoded = text.includes('%') ? decodeOnce(text) : text;
  if (decoded === undefined) return 'must be percent-encoded UTF-8';
  if (decoded !== text) {
    const separator = /%(?:2f|3b|5c)/i.exec(text)?.[0];
    if (separator !== undefined) return `must not contain an encoded separator (${separator})`;
    if (/%[\da-f]{2}/i.test(decoded)) return 'must not be percent-encoded twice';
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters.
  if (/[\0-\x1f\x7f]/.test(decoded)) return 'must not contain control characters';
  if (/^(?:\/|$)|\/(?:\/|$)/.test(decoded)) return 'must not contain empty segments: write no // and no / at the end';
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(decoded)) return 'must not contain the segments "." and ".."';
  return undefined;
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the check of a route; that of a prefix route first rejects a path that is not plain, and decodes the rest. The
 * parameters before the rest are checked as well: `{a}/{rest*}` with an encoded slash in `{a}` could reach an upstream as
 * the path of a longer prefix.
 */
export function withRestCheck({ path }: Route, check: CheckRequest): CheckRequest {
  const rest = /\{([^{}]+)\*\}$/.exec(path)?.[1];
  if (rest === undefined) return check;
  const before = Array.from(path.matchAll(/\{([^{}*]+)\}/g), ([, name]) => name as string);
  return (req, parts, body) => {
    const faults: Fault[] = [];
    const note = (parameter: string, text: string) => {
      const detail = findRestFault(text);
      if (detail !== undefined) faults.push({ parameter, detail });
    };
    // These are decoded: encoded again, a separator in them is an encoded one.
    for (const name of before) note(name, encodeURIComponent(parts.path[name] as string));
    const text = parts.path[rest] as string;
    note(rest, text);
    if (faults.length > 0) throw createValidationProblem(faults);
    parts.path[rest] = decodeURIComponent(text);
    return check(req, parts, body);
  };
}
