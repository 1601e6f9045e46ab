import { findRestFault } from '@rostergate/server';
import { createValidationProblem, type Fault } from '@rostergate/server/problem';

/** Parameters of a path by name, percent-encoded as the client sent them. */
export type PathTexts = Readonly<Record<string, string>>;

/**
 * Creates a function that reads path parameters from the URL of a request that matches the template. Each `{name}` is a
 * whole segment, and `{name*}` is the last segment and all that follow.
 */
export function createPathReader(template: string): (url: string) => PathTexts {
  const places = template.split('/').flatMap((segment, at) => {
    const [given] = namesInPath(segment);
    return given === undefined ? [] : [{ ...parseName(given), at }];
  });
  if (places.length === 0) return () => noTexts;
  const last = places.at(-1);
  const rest = last?.isRest ? last : undefined;
  const single = rest === undefined ? places : places.slice(0, -1);
  const readSegments = (segments: readonly string[]): Record<string, string> => {
    const texts: Record<string, string> = Object.create(null);
    for (const { name, at } of single) texts[name] = segments[at] ?? '';
    return texts;
  };
  if (rest === undefined) return (url) => readSegments(segmentsOf(url));
  return (url) => {
    const segments = segmentsOf(url);
    return Object.assign(readSegments(segments), { [rest.name]: segments.slice(rest.at).join('/') });
  };
}

function segmentsOf(url: string): string[] {
  const end = url.indexOf('?');
  return (end < 0 ? url : url.slice(0, end)).split('/');
}

const noTexts: PathTexts = Object.freeze(Object.create(null));

/**
 * Creates a function that writes a path from a template and the texts of its parameters. It does not decode texts, since
 * an encoded delimiter differs from a plain one (RFC 3986 §2.2), encodes bytes that a URI cannot contain, and rejects
 * texts that would leave their segment after any number of decodings, and a `{name*}` that `findRestFault` rejects.
 */
export function createPathWriter(template: string): (texts: PathTexts) => string {
  const [first = '', ...more] = template.split(/\{([^{}/]+)\}/);
  if (more.length === 0) return () => first;
  const parts: Part[] = [];
  for (let i = 0; i < more.length; i += 2) {
    const { name, isRest } = parseName(more[i] as string);
    const [findFault, excluded] = isRest ? [findRestFault, notInPath] : [findSegmentFault, notInSegment];
    parts.push({ name, findFault, excluded, after: more[i + 1] as string });
  }
  return (texts) => {
    let path = first;
    const errors: Fault[] = [];
    for (const { name, findFault, excluded, after } of parts) {
      const text = texts[name] ?? '';
      const detail = findFault(text);
      if (detail === undefined) path += text.replaceAll(excluded, encodeByte) + after;
      else errors.push({ parameter: name, detail });
    }
    if (errors.length > 0) throw createValidationProblem(errors);
    return path;
  };
}

/** A parameter of a template, and the text up to the next one. */
interface Part {
  readonly name: string;
  readonly findFault: (text: string) => string | undefined;
  /** Characters to encode. */
  readonly excluded: RegExp;
  readonly after: string;
}

/** Characters that a path segment cannot contain unencoded (RFC 3986 §3.3), and a path. */
const notInSegment = /[^\w.~!$&'()*+,;=:@%-]/g;
const notInPath = /[^\w.~!$&'()*+,;=:@%/-]/g;

function findSegmentFault(text: string): string | undefined {
  let value: string | undefined;
  try {
    value = decodeURIComponent(text);
  } catch {}
  return value === undefined || isUnsafeSegment(value)
    ? 'must not be empty, "." or "..", nor contain control characters'
    : undefined;
}

/** Splits the text between braces into the name and whether it means all further segments. */
function parseName(given: string): { readonly name: string; readonly isRest: boolean } {
  const isRest = given.endsWith('*');
  return { name: isRest ? given.slice(0, -1) : given, isRest };
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
