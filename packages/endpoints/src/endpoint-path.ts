import { createHash } from 'node:crypto';

/** The parsed path of an endpoint. */
export interface EndpointPath {
  /** The path with `{}` for each parameter: two paths of the same shape match the same requests. */
  readonly shape: string;
  readonly segments: readonly PathSegment[];
  readonly parameters: readonly string[];
}

export type PathSegment = { readonly literal: string } | { readonly parameter: string };

/** Parses a path template (RFC 3986 §3.3, parameters as whole segments). Returns a string that describes a fault. */
export function parseEndpointPath(path: string): EndpointPath | string {
  if (!path.startsWith('/')) return 'must begin with /';
  if (path === '/') return 'is the landing page: choose a longer path';
  const segments: PathSegment[] = [];
  const parameters: string[] = [];
  for (const text of path.slice(1).split('/')) {
    if (text === '') return 'has an empty segment: write no // and no / at the end';
    if (text === '.' || text === '..') return `has the segment "${text}", which clients resolve before they send it`;
    const name = /^\{([A-Za-z_][A-Za-z0-9_-]*)\}$/.exec(text)?.[1];
    if (name !== undefined) {
      if (parameters.includes(name)) return `names the parameter {${name}} twice`;
      parameters.push(name);
      segments.push({ parameter: name });
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
  return { shape: shapeOf(segments), segments, parameters };
}

/** A parameter in the syntax of other routers: `:id`, `[id]`, `<int:id>`, `${id}`, `{id:int}`. */
const otherParameter = /^(?::|\[|<(?:\w+:)?|\$\{|\{(?=\w+:))([A-Za-z_]\w*)(?:[:(].*)?[\]>}?*+]?$/;

function shapeOf(segments: readonly PathSegment[]): string {
  return segments.map((segment) => ('literal' in segment ? `/${segment.literal}` : '/{}')).join('');
}

/** Returns whether a request path can match both. */
export function pathsOverlap(a: EndpointPath, b: EndpointPath): boolean {
  return (
    a.segments.length === b.segments.length &&
    a.segments.every((segment, i) => {
      const other = b.segments[i] as PathSegment;
      return !('literal' in segment && 'literal' in other) || segment.literal === other.literal;
    })
  );
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
