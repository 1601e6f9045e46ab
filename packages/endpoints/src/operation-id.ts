import { createHash } from 'node:crypto';
import type { EndpointPath, PathSegment } from './endpoint-path.ts';

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
