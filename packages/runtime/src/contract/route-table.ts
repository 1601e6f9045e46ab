import type { DeclaredPath } from './route.ts';

export interface RouteMatch<T> {
  readonly target: T;
  readonly params: Record<string, string>;
}

export interface RouteTable<T> {
  /** Throws when another template already takes the same requests. */
  add(path: DeclaredPath, targets: readonly T[]): void;
  /** The target of a method and an undecoded path; HEAD is served by GET. */
  find(method: string, path: string): RouteMatch<T> | null;
  /** The declared path that matches, whatever the method. */
  findPath(path: string): DeclaredPath | null;
}

/**
 * The declared paths by what a request's path says: one map for those without parameters, a tree of segments for the
 * others. A literal goes before a parameter (OpenAPI 3.0, Paths Object); parameters are whole segments, never empty.
 * Adding a path costs the same however many there are, and so does finding one.
 */
export function createRouteTable<T>(): RouteTable<T> {
  const literal = new Map<string, Leaf<T>>();
  /** A path of another length is none of them: to look for a text that was never seen costs its hash. */
  const literalLengths = new Set<number>();
  const root = createNode<T>();

  function search<R>(given: string, read: Read<T, R>, method: string): R | null {
    const path = given.charCodeAt(0) === slash ? given : pathOfAbsoluteForm(given);
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
  /** In capitals, as requests have them; `targets` stands beside it. */
  readonly methods: readonly string[];
  readonly targets: readonly T[];
  readonly names: readonly string[];
}

interface Node<T> {
  /** Absent until there is one: most nodes are the last of their path. */
  literals: Map<string, Node<T>> | undefined;
  parameter: Node<T> | undefined;
  leaf: Leaf<T> | undefined;
}

/** Null when the leaf will not do, such as for its methods: the search goes on. */
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

/** Puts the leaf where it belongs, or gives the one that is there. */
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

/** Depth first, no deeper than the templates; `values` are the parameters on the way here, still encoded. */
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
    const found = arrive(literal, path, end, values, read, method);
    if (found !== null) return found;
  }
  if (node.parameter === undefined || segment === '') return null;
  values.push(segment);
  const found = arrive(node.parameter, path, end, values, read, method);
  if (found === null) values.pop();
  return found;
}

function arrive<T, R>(
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
      if (/[{}]/.test(name ?? text)) throw new Error(`The path ${template} has a parameter that is no whole segment.`);
      if (name !== undefined) names.push(name);
      return { text, isParameter };
    });
  return { segments, names };
}

const slash = 47;
const noValues: readonly string[] = [];
const noParams: Record<string, string> = Object.freeze(Object.create(null));

/** The path of `http://host/path` (RFC 9112 §3.2.2); null for any other form. */
function pathOfAbsoluteForm(target: string): string | null {
  const rest = /^https?:\/\/[^/]*(.*)$/is.exec(target)?.[1];
  return rest === '' ? '/' : (rest ?? null);
}

/** Null for what is no percent-encoded UTF-8. */
function decode(path: string): string | null {
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}
