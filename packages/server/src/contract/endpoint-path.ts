import { createHash } from 'node:crypto';

/** The parsed path of an endpoint. */
export interface EndpointPath {
  /**
   * The path with `{}` for each parameter: two paths of the same shape match the same requests, or are the same path of an
   * OpenAPI document.
   */
  readonly shape: string;
  readonly segments: readonly PathSegment[];
  readonly parameters: readonly string[];
  /** The last parameter, if it is written `{name*}`: the rest of the path, one or more segments. */
  readonly rest: string | undefined;
}

export type PathSegment = { readonly literal: string } | { readonly parameter: string };

/**
 * Parses a path template (RFC 3986 §3.3, parameters as whole segments; the last may be `{name*}`). Returns a string that
 * describes a fault.
 */
export function parseEndpointPath(path: string): EndpointPath | string {
  if (!path.startsWith('/')) return 'must begin with /';
  if (path === '/') return 'is the landing page: choose a longer path';
  const segments: PathSegment[] = [];
  const parameters: string[] = [];
  let rest: string | undefined;
  for (const text of path.slice(1).split('/')) {
    if (rest !== undefined) return `continues after {${rest}*}, which is the rest of the path: move it to the end`;
    if (text === '') return 'has an empty segment: write no // and no / at the end';
    if (text === '.' || text === '..') return `has the segment "${text}", which clients resolve before they send it`;
    const [, name, star] = /^\{([A-Za-z_][A-Za-z0-9_-]*)(\*?)\}$/.exec(text) ?? [];
    if (name !== undefined) {
      if (parameters.includes(name)) return `names the parameter {${name}} twice`;
      parameters.push(name);
      segments.push({ parameter: name });
      if (star !== '') rest = name;
    } else if (otherRest.test(text)) {
      return `has the segment "${text}": write the rest of a path as {${/[a-z_]\w*/i.exec(text)?.[0] ?? 'rest'}*}`;
    } else if (otherParameter.test(text)) {
      return `has the segment "${text}": write a parameter as {${otherParameter.exec(text)?.[1]}}`;
    } else if (/^\{[^{}]+\}$/.test(text)) {
      return `has the segment "${text}": the name of a parameter must begin with a letter and contain only letters, digits, - and _`;
    } else if (/[{}]/.test(text)) {
      return `has the segment "${text}": a parameter must be a whole segment, as in /{name}`;
    } else if (/^[A-Za-z0-9._~@!$&'+,;=-]+$/.test(text)) {
      segments.push({ literal: text });
    } else {
      return `has the segment "${text}": use only letters, digits and - . _ ~`;
    }
  }
  return { shape: shapeOf(segments), segments, parameters, rest };
}

/** Returns the path as the key of an OpenAPI document, which has no parameters of several segments. */
export function openApiPathOf(path: string): string {
  return path.replace(/\*\}$/, '}');
}

/** Returns the parameters of a path with the extension `x-multi-segment` on the one that is the rest of it, if any. */
export function markRest(
  parameters: readonly Readonly<Record<string, unknown>>[],
  path: string,
): readonly Readonly<Record<string, unknown>>[] {
  const rest = /\{([^{}]+)\*\}$/.exec(path)?.[1];
  if (rest === undefined) return parameters;
  return parameters.map((parameter) =>
    parameter.in === 'path' && parameter.name === rest
      ? { description: 'The rest of the path: one or more segments.', ...parameter, 'x-multi-segment': true }
      : parameter,
  );
}

/** The rest of a path in the syntax of other routers: `*`, `**`, `*path`, `{path+}`, `{*path}`, `{path:path}`, `[...path]`. */
const otherRest =
  /^(?:\*{1,2}\w*|\{\*{1,2}\w+\}|\{\w+(?:\+|\.{3}|:path|:\.\*)\}|\[\.{3}\w+\]|:\w+(?:[*+]|\(\.\*\))|<path:\w+>)$/;

/** A parameter in the syntax of other routers: `:id`, `[id]`, `<int:id>`, `${id}`, `{id:int}`. */
const otherParameter = /^(?::|\[|<(?:\w+:)?|\$\{|\{(?=\w+:))([A-Za-z_]\w*)(?:[:(].*)?[\]>}?*+]?$/;

function shapeOf(segments: readonly PathSegment[]): string {
  return segments.map((segment) => ('literal' in segment ? `/${segment.literal}` : '/{}')).join('');
}

/** Returns whether a request path can match both. */
export function pathsOverlap(a: EndpointPath, b: EndpointPath): boolean {
  const [one, other] = [a.segments.length, b.segments.length];
  if (one !== other && (one > other ? b : a).rest === undefined) return false;
  return a.segments.slice(0, other).every((segment, i) => {
    const beside = b.segments[i] as PathSegment;
    return !('literal' in segment && 'literal' in beside) || segment.literal === beside.literal;
  });
}

/**
 * Returns the operationId of an endpoint from its method and path: `GET /api/quotes/{coin}` → `getApiQuotesByCoin`.
 * A digest of the path is appended when the form would be ambiguous or equal to a built-in operationId.
 */
export function operationIdOf(method: string, path: EndpointPath, taken: ReadonlySet<string>): string {
  const words = path.segments.map((segment) => wordOf(segment));
  const id = method.toLowerCase() + words.join('');
  if (path.segments.every(isPlain) && !taken.has(id)) return id;
  return `${id}_${createHash('sha256').update(path.shape).digest('hex').slice(0, 12)}`;
}

/** Returns whether a segment is unambiguous: lower-case words, so that each capital begins a segment, other than `by`. */
function isPlain(segment: PathSegment): boolean {
  return 'literal' in segment
    ? /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(segment.literal) && !/^by(-|$)/.test(segment.literal)
    : /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(segment.parameter);
}

function wordOf(segment: PathSegment): string {
  const [prefix, text] = 'literal' in segment ? ['', segment.literal] : ['By', segment.parameter];
  const word = text.replace(/[^A-Za-z0-9]+/g, '_');
  return prefix + word.charAt(0).toUpperCase() + word.slice(1);
}
