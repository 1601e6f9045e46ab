import { createValidationProblem } from '../problem/index.ts';
import type { Steps } from '../steps.ts';
import { pathOf, toOriginForm } from './request-head.ts';
import type { CheckRequest } from './request-validator.ts';
import type { DeclaredPath, Route } from './route.ts';

/** Names what protects an operation, such as its credentials and policies; undefined for an open one. */
export type GuardOf = (operationId: string) => string | undefined;

export interface AmbiguityOptions {
  readonly paths: readonly DeclaredPath[];
  readonly guardOf: GuardOf;
  /** Returns the declared path that matches. */
  readonly findPath: (path: string) => DeclaredPath | null;
}

/** Returns the check of a route whose handler forwards its path; other routes keep theirs. */
export type WithAmbiguityCheck = (route: Route, check: CheckRequest) => CheckRequest;

/**
 * Returns a function that adds a check to routes with parameters beside guarded paths: a parameter such as `a%2Fsecrets`
 * must not make an upstream read the path as one with another guard. Routes beside no guarded path keep their check, as do
 * prefix routes, which reject every separator.
 */
export function* createAmbiguityChecks({ paths, guardOf, findPath }: AmbiguityOptions): Steps<WithAmbiguityCheck> {
  /** The guards of the operations of each guarded path. */
  const guards = new Map<string, readonly string[]>();
  /** How many guarded paths begin with the segments of a text. */
  const below = new Map<string, number>();
  /** The segments before the first parameter of guarded paths. */
  const templates = new Set<string>();
  for (const declared of paths) {
    yield;
    const own = declared.routes.flatMap(({ operationId }) => guardOf(operationId) ?? []);
    if (own.length === 0) continue;
    guards.set(declared.path, own);
    const prefix = literalPrefixOf(declared.path);
    if (prefix !== declared.path) templates.add(prefix);
    for (const text of beginningsOf(prefix)) below.set(text, (below.get(text) ?? 0) + 1);
  }

  const isExposed = (route: Route): boolean => {
    const prefix = literalPrefixOf(route.path);
    if (prefix === route.path || route.path.endsWith('*}')) return false;
    const own = guards.has(route.path) ? 1 : 0;
    return (
      (below.get(prefix) ?? 0) > own || beginningsOf(prefix).some((text) => text !== prefix && templates.has(text))
    );
  };

  return (route, check) => {
    if (!isExposed(route)) return check;
    const guard = guardOf(route.operationId);
    const names = Array.from(route.path.matchAll(/\{([^{}]+)\}/g), ([, name]) => name as string);
    return (req, parts, body) => {
      const path = pathOf(req.originalUrl);
      if (!separators.test(path)) return check(req, parts, body);
      const read = findPath(readLoosely(toOriginForm(path)));
      const isSame = read === null || read.path === route.path || guards.get(read.path)?.every((one) => one === guard);
      if (isSame !== false) return check(req, parts, body);
      const detail = 'must not contain separators here: a server could read the path as that of another endpoint';
      const named = names.filter((name) => /[/\\;%]/.test(String(parts.path[name])));
      throw createValidationProblem(named.map((parameter) => ({ parameter, detail })));
    };
  };
}

const separators = /[;\\]|%(?:2f|5c|3b|25)/i;

/** Returns a path as a lenient server reads it: fully decoded, without `;…`, and with one slash between segments. */
function readLoosely(path: string): string {
  let text = path;
  for (let decodings = 0; decodings < decodingsMax; decodings++) {
    const decoded = text.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    if (decoded === text) break;
    text = decoded;
  }
  return text
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '')
    .replaceAll(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replaceAll(/%(?![\da-f]{2})/gi, '%25');
}

const decodingsMax = 8;

/** Returns the segments of a template before its first parameter: `/users` of `/users/{id}`. */
function literalPrefixOf(template: string): string {
  const at = template.indexOf('/{');
  return at < 0 ? template : template.slice(0, at);
}

/** Returns every beginning of a path in whole segments: ``, `/a` and `/a/b` of `/a/b`. */
function beginningsOf(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at));
  return [...found, path];
}
