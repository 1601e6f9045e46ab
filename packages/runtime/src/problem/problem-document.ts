import type { Fault, Problem } from './problem.ts';

/** The body of every error answer: RFC 9457 §3.1 members, then ours. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: string;
  readonly kind: string;
  readonly request_id: string;
  readonly errors?: readonly Fault[];
  readonly [extension: string]: unknown;
}

export const problemMediaType = 'application/problem+json';

/** A longer path is left out: the caller knows it. */
const instanceMax = 500;

/** `instance` is the path of the request, without its query: queries may hold what must not be repeated. */
export function createProblemDocument(problem: Problem, requestId: string, instance?: string): ProblemDocument {
  return {
    type: `urn:rostergate:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    // Three bytes for each character at most, and a part of a path would name another resource.
    ...(instance === undefined || instance.length > instanceMax ? {} : { instance: toUriPath(instance) }),
    code: problem.code,
    kind: problem.kind,
    request_id: requestId,
    ...(problem.errors.length === 0 ? {} : { errors: problem.errors }),
    ...problem.extensions,
  };
}

/** Callers send what they like; a path as RFC 3986 §3.3 has it is what `instance` may hold. */
function toUriPath(path: string): string {
  return path.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/@!$&'()*+,;=%]/g, encodeURIComponent);
}
