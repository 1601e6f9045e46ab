import { createValidationProblem, type Fault } from '@rostergate/server/problem';

/** Parameters of a path by name, percent-encoded as the client sent them. */
export type PathTexts = Readonly<Record<string, string>>;

/**
 * Creates a function that reads path parameters from the URL of a request that matches the template. Each `{name}` is a
 * whole segment.
 */
export function createPathReader(template: string): (url: string) => PathTexts {
  const places = template.split('/').flatMap((segment, at) => {
    const [name] = namesInPath(segment);
    return name === undefined ? [] : [{ name, at }];
  });
  if (places.length === 0) return () => noTexts;
  return (url) => {
    const end = url.indexOf('?');
    const segments = (end < 0 ? url : url.slice(0, end)).split('/');
    const texts: Record<string, string> = Object.create(null);
    for (const { name, at } of places) texts[name] = segments[at] ?? '';
    return texts;
  };
}

const noTexts: PathTexts = Object.freeze(Object.create(null));

/**
 * Creates a function that writes a path from a template and the texts of its parameters. It does not decode texts, since
 * an encoded delimiter differs from a plain one (RFC 3986 §2.2), encodes bytes that a URI cannot contain, and rejects
 * texts that would leave their segment after any number of decodings.
 */
export function createPathWriter(template: string): (texts: PathTexts) => string {
  const [first = '', ...rest] = template.split(/\{([^{}/]+)\}/);
  if (rest.length === 0) return () => first;
  return (texts) => {
    let path = first;
    const errors: Fault[] = [];
    for (let i = 0; i < rest.length; i += 2) {
      const name = rest[i] as string;
      const text = texts[name] ?? '';
      const value = decodeSegment(text);
      if (value === undefined || isUnsafeSegment(value))
        errors.push({ parameter: name, detail: 'must not be empty, "." or "..", nor contain control characters' });
      else path += text.replaceAll(notInSegment, encodeByte) + (rest[i + 1] as string);
    }
    if (errors.length > 0) throw createValidationProblem(errors);
    return path;
  };
}

/** Characters that a path segment cannot contain unencoded (RFC 3986 §3.3). */
const notInSegment = /[^\w.~!$&'()*+,;=:@%-]/g;

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the names in a template in order. */
function namesInPath(template: string): string[] {
  return [...template.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name as string);
}

/** Returns the query of a URL with its question mark, and encodes characters that a URI cannot contain (RFC 3986 §2.1). */
export function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start).replaceAll(/[^\x21-\x7e]|[#"<>\\^`{|}]/g, encodeByte);
}

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Whether a decoded segment is empty, or contains control characters or, between slashes and backslashes, a `.` or `..`
 * segment; also after further decodings. A value encoded more than `decodingsMax` times is unsafe.
 */
export function isUnsafeSegment(value: string): boolean {
  if (!value.isWellFormed()) return true;
  let text = value;
  for (let decodings = 0; decodings <= decodingsMax; decodings++) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters.
    if (text === '' || /[\0-\x1f\x7f]/.test(text) || dotSegment.test(text)) return true;
    const decoded = text.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

const decodingsMax = 8;
/** Servlet containers remove `;` and the text after it before they resolve dots. */
const dotSegment = /(?:^|[/\\])\.{1,2}(?:$|[/\\;])/;
