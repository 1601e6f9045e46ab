import type { DeclaredPath } from './route.ts';

export interface RouteMatch<T> {
  readonly target: T;
  readonly params: Record<string, string>;
}

export interface RouteTable<T> {
  /** Throws when another template matches the same requests. */
  add(path: DeclaredPath, targets: readonly T[]): void;
  /** Returns the target of a method and an encoded path; HEAD uses GET. The rest of a path stays encoded. */
  find(method: string, path: string): RouteMatch<T> | null;
  /** Returns the declared path that matches, for any method. */
  findPath(path: string): DeclaredPath | null;
}

/**
 * Returns an empty table: a map for paths without parameters, a tree of segments for the others. Literals have priority
 * over parameters (OpenAPI 3.0, Paths Object), an exclusive literal for all methods. Literals and parameters have priority
 * over the rest of a path (`{name*}`), for all of its methods. A parameter is one whole segment, never empty, and a rest is
 * at least one. The cost of adding and finding a path does not depend on their number: a search visits each node of the
 * tree at most once.
 */
export function createRouteTable<T>(): RouteTable<T> {
  const literal = new Map<string, Leaf<T>>();
  /** Avoids the hash of a path whose length no literal has. */
  const literalLengths = new Set<number>();
  const root = createNode<T>();

  function search<R>(target: string, read: Read<T, R>, method: string): R | null {
    const path = target.charCodeAt(0) === slash ? target : pathOfAbsoluteForm(target);
    if (path === null) return null;
    const decoded = path.includes('%') ? decode(path) : path;
    if (decoded === null) return null;
    const leaf = literalLengths.has(decoded.length) ? literal.get(decoded) : undefined;
    if (leaf !== undefined) {
      const found = read(leaf, noValues, method);
      if (found !== null || leaf.declared.isExclusive) return found;
    }
    const found = descend(root, path, 1, [], read, method, leaf !== undefined);
    return found === taken ? null : found;
  }

  return {
    add(declared, targets) {
      const { segments, names, restName } = parseTemplate(declared.path);
      const methods = declared.routes.map((route) => route.method.toUpperCase());
      const leaf = { declared, methods, targets, names, restName };
      const known = names.length === 0 ? literal.get(declared.path) : place(root, segments, leaf);
      if (known !== undefined) {
        throw new Error(`The paths ${known.declared.path} and ${declared.path} match the same requests.`);
      }
      if (names.length === 0) {
        literal.set(declared.path, leaf);
        literalLengths.add(declared.path.length);
      }
    },
    find: (method, path) => search(path, readTarget, method === 'HEAD' ? 'GET' : method),
    findPath: (path) => search(path, readDeclared, ''),
  };
}

interface Leaf<T> {
  readonly declared: DeclaredPath;
  /** In upper case; `targets` has the same order. */
  readonly methods: readonly string[];
  readonly targets: readonly T[];
  readonly names: readonly string[];
  /** The last name, if it is the rest of the path. */
  readonly restName: string | undefined;
}

interface Node<T> {
  /** Created on first use: most nodes are leaves. */
  literals: Map<string, Node<T>> | undefined;
  parameter: Node<T> | undefined;
  leaf: Leaf<T> | undefined;
  /** Matches all further segments. */
  rest: Leaf<T> | undefined;
}

/**
 * The result when a more specific path matches, but not with this method, or when the path ends where a prefix begins: the
 * rest of a shorter prefix does not match then. Otherwise an open `/a/{rest*}` would serve what a protected `/a/admin/…`
 * does not.
 */
const taken = Symbol('taken');

/** Returns null when the leaf does not match, such as for its methods; the search then continues. */
type Read<T, R> = (leaf: Leaf<T>, values: readonly string[], method: string) => R | null;

function readTarget<T>({ methods, targets, names, restName }: Leaf<T>, values: readonly string[], method: string) {
  const i = methods.indexOf(method);
  return i < 0 ? null : toMatch(targets[i] as T, names, restName, values);
}

function readDeclared<T>({ declared }: Leaf<T>) {
  return declared;
}

function createNode<T>(): Node<T> {
  return { literals: undefined, parameter: undefined, leaf: undefined, rest: undefined };
}

/** Adds the leaf, or returns the one in its place. */
function place<T>(root: Node<T>, segments: readonly Segment[], leaf: Leaf<T>): Leaf<T> | undefined {
  let node = root;
  for (const segment of segments) {
    if (segment.isRest) {
      const known = node.rest;
      node.rest ??= leaf;
      return known;
    }
    let next = segment.isParameter ? node.parameter : node.literals?.get(segment.text);
    if (next === undefined) {
      next = createNode();
      if (segment.isParameter) node.parameter = next;
      else {
        node.literals ??= new Map();
        node.literals.set(segment.text, next);
      }
    }
    node = next;
  }
  if (node.leaf !== undefined) return node.leaf;
  node.leaf = leaf;
  return undefined;
}

/**
 * Searches depth first; `values` are the encoded parameters of the path so far, and `isTaken` says that a more specific path
 * matches with other methods.
 */
function descend<T, R>(
  node: Node<T>,
  path: string,
  start: number,
  values: string[],
  read: Read<T, R>,
  method: string,
  isTaken: boolean,
): R | typeof taken | null {
  const end = path.indexOf('/', start);
  const segment = end < 0 ? path.slice(start) : path.slice(start, end);
  let found: R | typeof taken | null = isTaken ? taken : null;
  const literal = node.literals?.get(segment.includes('%') ? decodeURIComponent(segment) : segment);
  if (literal !== undefined) {
    const below = visit(literal, path, end, values, read, method, isTaken);
    if (below !== null && below !== taken) return below;
    found ??= below;
  }
  if (node.parameter !== undefined && segment !== '') {
    values.push(segment);
    const below = visit(node.parameter, path, end, values, read, method, found === taken);
    if (below !== null && below !== taken) return below;
    values.pop();
    found ??= below;
  }
  if (node.rest === undefined || found === taken || start === path.length) return found;
  values.push(path.slice(start));
  found = read(node.rest, values, method);
  if (found !== null) return found;
  values.pop();
  return taken;
}

function visit<T, R>(
  node: Node<T>,
  path: string,
  end: number,
  values: string[],
  read: Read<T, R>,
  method: string,
  isTaken: boolean,
): R | typeof taken | null {
  if (end >= 0) return descend(node, path, end + 1, values, read, method, isTaken);
  if (node.leaf === undefined) return node.rest === undefined ? null : taken;
  return read(node.leaf, values, method) ?? taken;
}

function toMatch<T>(
  target: T,
  names: readonly string[],
  restName: string | undefined,
  values: readonly string[],
): RouteMatch<T> | null {
  if (names.length === 0) return { target, params: noParams };
  const params: Record<string, string> = Object.create(null);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const value = values[i] as string;
    params[name] = name !== restName && value.includes('%') ? decodeURIComponent(value) : value;
  }
  return { target, params };
}

interface Segment {
  readonly text: string;
  readonly isParameter: boolean;
  readonly isRest: boolean;
}

interface Template {
  readonly segments: readonly Segment[];
  readonly names: readonly string[];
  readonly restName: string | undefined;
}

function parseTemplate(template: string): Template {
  const names: string[] = [];
  const segments = template
    .slice(1)
    .split('/')
    .map((text, i, { length }) => {
      const isParameter = text.startsWith('{') && text.endsWith('}');
      const isRest = isParameter && text.endsWith('*}');
      const name = isParameter ? text.slice(1, isRest ? -2 : -1) : undefined;
      if (/[{}]/.test(name ?? text))
        throw new Error(`The path ${template} has a parameter that is not a whole segment.`);
      if (isRest && i < length - 1) throw new Error(`The path ${template} continues after ${text}.`);
      if (name !== undefined) names.push(name);
      return { text, isParameter, isRest };
    });
  return { segments, names, restName: segments.at(-1)?.isRest ? names.at(-1) : undefined };
}

const slash = 47;
const noValues: readonly string[] = [];
const noParams: Record<string, string> = Object.freeze(Object.create(null));

/** Returns the path of `http://host/path` (RFC 9112 §3.2.2); null for any other form. */
function pathOfAbsoluteForm(target: string): string | null {
  const rest = /^https?:\/\/[^/]*(.*)$/is.exec(target)?.[1];
  return rest === '' ? '/' : (rest ?? null);
}

/** Decodes all but slashes, which would add segments. Returns null for invalid percent-encoded UTF-8. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'));
  } catch {
    return null;
  }
}
