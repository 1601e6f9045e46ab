export interface ContentType {
  /** In lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
  /** Whether whoever reads its text takes it for UTF-8, by whichever of several parameters they go. */
  readonly isUtf8: boolean;
}

/**
 * A Content-Type as RFC 9110 §8.3 has it. What stands within a quoted string (§5.6.4) is no parameter. Parameters that
 * cannot be told apart, for a quote that stands askew or is never closed, are not known to say UTF-8.
 */
export function parseContentType(header = ''): ContentType {
  const end = header.indexOf(';');
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  return { mediaType, isUtf8: end < 0 || saysUtf8(header, end) };
}

/** Whether this media type is that of JSON, or of a format built on it (RFC 6839 §3.1). */
export function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

function saysUtf8(header: string, start: number): boolean {
  for (let at = start; at < header.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const found = parameter.exec(header);
    if (found === null) return false;
    const [, name = '', quoted, plain] = found;
    const value = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain?.trim();
    if (name.trim().toLowerCase() === 'charset' && value !== undefined && !isUtf8Name(value)) return false;
  }
  return true;
}

/** One that has no value is let through, as every reader passes over it. No part can match in two ways: time is linear. */
const parameter = /;([^";=]*)(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"[ \t]*|([^";]*)))?/sy;

/** US-ASCII is a part of UTF-8, and the name without a hyphen is a common slip. */
function isUtf8Name(charset: string): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(charset);
}
