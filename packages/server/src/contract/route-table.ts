import type { DeclaredPath } from './route.ts';

export interface RouteMatch<T> {
  readonly target: T;
  readonly params: Record<string, string>;
}

export interface RouteTable<T> {
  /** Throws when another template matches the same requests. */
  add(path: DeclaredPath, targets: readonly T[]): void;
  /** Returns the target of a method and an encoded path; HEAD uses GET. */
  find(method: string, path: string): RouteMatch<T> | null;
  /** Returns the declared path that matches, for any method. */
  findPath(path: string): DeclaredPath | null;
}

/**
 * Returns an empty table: a map for paths without parameters, a tree of segments for the others. Literals have priority
 * over parameters (OpenAPI 3.0, Paths Object); a parameter is one whole segment, never empty. The cost of adding and
 * finding a path does not depend on their number.
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
    const found = leaf === undefined ? null : read(leaf, noValues, method);
    return found ?? descend(root, path, 1, [], read, method);
  }

  return {
    add(declared, targets) {
      const { segments, names } = parseTemplate(declared.path);
      const leaf = { declared, methods: declared.routes.map((route) => route.method.toUpperCase()), targets, names };
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
}

interface Node<T> {
  /** Created on first use: most nodes are leaves. */
  literals: Map<string, Node<T>> | undefined;
  parameter: Node<T> | undefined;
  leaf: Leaf<T> | undefined;
}

/** Returns null when the leaf does not match, such as for its methods; the search then continues. */
type Read<T, R> = (leaf: Leaf<T>, values: readonly string[], method: string) => R | null;

function readTarget<T>({ methods, targets, names }: Leaf<T>, values: readonly string[], method: string) {
  const i = methods.indexOf(method);
  return i < 0 ? null : toMatch(targets[i] as T, names, values);
}

function readDeclared<T>({ declared }: Leaf<T>) {
  return declared;
}

function createNode<T>(): Node<T> {
  return { literals: undefined, parameter: undefined, leaf: undefined };
}

/** Adds the leaf, or returns the one in its place. */
function place<T>(root: Node<T>, segments: readonly Segment[], leaf: Leaf<T>): Leaf<T> | undefined {
  let node = root;
  for (const segment of segments) {
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

/** Searches depth first; `values` are the encoded parameters of the path so far. */
function descend<T, R>(
  node: Node<T>,
  path: string,
  start: number,
  values: string[],
  read: Read<T, R>,
  method: string,
): R | null {
  const end = path.indexOf('/', start);
  const segment = end < 0 ? path.slice(start) : path.slice(start, end);
  const literal = node.literals?.get(segment.includes('%') ? decodeURI(segment) : segment);
  if (literal !== undefined) {
    const found = visit(literal, path, end, values, read, method);
    if (found !== null) return found;
  }
  if (node.parameter === undefined || segment === '') return null;
  values.push(segment);
  const found = visit(node.parameter, path, end, values, read, method);
  if (found === null) values.pop();
  return found;
}

function visit<T, R>(
  node: Node<T>,
  path: string,
  end: number,
  values: string[],
  read: Read<T, R>,
  method: string,
): R | null {
  if (end >= 0) return descend(node, path, end + 1, values, read, method);
  return node.leaf === undefined ? null : read(node.leaf, values, method);
}

function toMatch<T>(target: T, names: readonly string[], values: readonly string[]): RouteMatch<T> | null {
  if (names.length === 0) return { target, params: noParams };
  const params: Record<string, string> = Object.create(null);
  for (let i = 0; i < names.length; i++) {
    const value = values[i] as string;
    params[names[i] as string] = value.includes('%') ? decodeURIComponent(value) : value;
  }
  return { target, params };
}

interface Segment {
  readonly text: string;
  readonly isParameter: boolean;
}

function parseTemplate(template: string): { readonly segments: readonly Segment[]; readonly names: readonly string[] } {
  const names: string[] = [];
  const segments = template
    .slice(1)
    .split('/')
    .map((text) => {
      const isParameter = text.startsWith('{') && text.endsWith('}');
      const name = isParameter ? text.slice(1, -1) : undefined;
      if (/[{}]/.test(name ?? text))
        throw new Error(`The path ${template} has a parameter that is not a whole segment.`);
      if (name !== undefined) names.push(name);
      return { text, isParameter };
    });
  return { segments, names };
}

const slash = 47;
const noValues: readonly string[] = [];
const noParams: Record<string, string> = Object.freeze(Object.create(null));

/** Returns the path of `http://host/path` (RFC 9112 §3.2.2); null for any other form. */
function pathOfAbsoluteForm(target: string): string | null {
  const rest = /^https?:\/\/[^/]*(.*)$/is.exec(target)?.[1];
  return rest === '' ? '/' : (rest ?? null);
}

/** Returns null for invalid percent-encoded UTF-8. */
function decode(path: string): string | null {
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}
