import { createHash } from 'node:crypto';

/** The path of an endpoint, taken apart. */
export interface EndpointPath {
  /** `{name}` as `{}`, all else as it is: two paths of one shape match the same requests. */
  readonly shape: string;
  readonly segments: readonly PathSegment[];
  readonly parameters: readonly string[];
}

export type PathSegment = { readonly literal: string } | { readonly parameter: string };

/** Reads a path template (RFC 3986 §3.3, parameters as whole segments); a string says what is wrong with it. */
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
      return `has the segment "${text}": the name of a parameter must begin with a letter and hold letters, digits, - and _ only`;
    } else if (/[{}]/.test(text)) {
      return `has the segment "${text}": a parameter takes a whole segment, as in /{name}`;
    } else if (/^[A-Za-z0-9._~@!$&'+,;=-]+$/.test(text)) {
      segments.push({ literal: text });
    } else {
      return `has the segment "${text}": use letters, digits and - . _ ~ only`;
    }
  }
  return { shape: shapeOf(segments), segments, parameters };
}

/** A parameter as other routers write it: `:id`, `[id]`, `<int:id>`, `${id}`, `{id:int}`. */
const otherParameter = /^(?::|\[|<(?:\w+:)?|\$\{|\{(?=\w+:))([A-Za-z_]\w*)(?:[:(].*)?[\]>}?*+]?$/;

function shapeOf(segments: readonly PathSegment[]): string {
  return segments.map((segment) => ('literal' in segment ? `/${segment.literal}` : '/{}')).join('');
}

/** Whether some request path matches both. */
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
 * The operationId of an endpoint, from its method and path alone: `GET /api/quotes/{coin}` → `getApiQuotesByCoin`.
 * Paths that cannot be told apart in this form, or that would take a built-in name, end in a digest of the path.
 */
export function operationIdOf(method: string, path: EndpointPath, taken: ReadonlySet<string>): string {
  const words = path.segments.map((segment) => wordOf(segment));
  const id = method.toLowerCase() + words.join('');
  if (path.segments.every(isPlain) && !taken.has(id)) return id;
  return `${id}_${createHash('sha256').update(path.shape).digest('hex').slice(0, 12)}`;
}

/** Plain segments are lower-case words, so that each capital of an operationId begins a segment; a literal `by` is none. */
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
