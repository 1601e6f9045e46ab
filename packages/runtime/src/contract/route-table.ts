import createLookup from 'find-my-way';
import type { DeclaredPath, Route } from './route.ts';

export interface RouteMatch<T> {
  readonly target: T;
  readonly params: Record<string, string>;
}

export interface RouteTable<T> {
  /** The target of a method and an undecoded path; HEAD is served by GET. */
  find(method: string, path: string): RouteMatch<T> | null;
  /** The declared path that matches, whatever the method. */
  findPath(path: string): DeclaredPath | null;
}

/** A radix tree over the declared paths. Parameters are whole segments: `{staff_key}`, never `{a}-{b}`. */
export function createRouteTable<T>(paths: readonly DeclaredPath[], target: (route: Route) => T): RouteTable<T> {
  const operations = createLookup(lookupOptions);
  const declared = createLookup(lookupOptions);
  for (const path of paths) {
    const names: string[] = [];
    const pattern = path.path.replace(/\{([^{}/]+)\}/g, (_, name: string) => `:p${names.push(name) - 1}`);
    declared.on('GET', pattern, unused, path);
    for (const route of path.routes) {
      const leaf: Leaf<T> = { target: target(route), names };
      operations.on(route.method.toUpperCase() as 'GET', pattern, unused, leaf);
    }
  }
  return {
    find(method, path) {
      const found = operations.find((method === 'HEAD' ? 'GET' : method) as 'GET', path);
      if (found === null) return null;
      const { target, names } = found.store as Leaf<T>;
      if (names.length === 0) return { target, params: noParams };
      const params = named(names, found.params);
      return params === null ? null : { target, params };
    },
    findPath(path) {
      const found = declared.find('GET', path);
      return found === null || Object.values(found.params).includes('') ? null : (found.store as DeclaredPath);
    },
  };
}

interface Leaf<T> {
  readonly target: T;
  readonly names: readonly string[];
}

const lookupOptions = { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 16_384 } as const;
const noParams: Record<string, string> = Object.freeze({});
const unused = () => {};

/** Null for an empty segment: `/staffmember/` is no `/staffmember/{staff_key}`. */
function named(names: readonly string[], found: Record<string, string | undefined>): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) {
    const value = found[`p${i}`];
    if (!value) return null;
    params[names[i] as string] = value;
  }
  return params;
}
