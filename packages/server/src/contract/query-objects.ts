import { type OpenApiDocument, type ParameterObject, type Reference, resolveReference } from './openapi.ts';

/** The query parameters of an operation that are objects, sent as one parameter for each member. */
export interface QueryObjects {
  /** Combines members into objects: `filter[color]=red` (style `deepObject`) or `color=red` (style `form`, exploded). */
  gather(query: Record<string, unknown>): void;
  /** Returns the name that the client sent for a member of an object: `filter[color]` or `color`. */
  sentName(parameter: string, member: string): string;
  /** The same parameters in the one style that the validator reads correctly after `gather`. */
  readonly parameters: readonly ParameterObject[];
}

/** Returns undefined when no parameter is such an object, the usual case. */
export function createQueryObjects(
  document: OpenApiDocument,
  parameters: readonly ParameterObject[],
): QueryObjects | undefined {
  const objects = new Map<string, QueryObject>();
  for (const parameter of parameters) {
    const object = readObject(document, parameter);
    if (object !== undefined) objects.set(parameter.name, object);
  }
  if (objects.size === 0) return undefined;
  return {
    gather(query) {
      for (const [name, object] of objects) {
        for (const key of Object.keys(query)) {
          const member = object.isDeep ? deepMember(name, key) : object.members.has(key) ? key : undefined;
          if (member === undefined) continue;
          const value = query[key];
          delete query[key];
          query[name] ??= Object.create(null);
          const target = query[name] as Record<string, unknown>;
          if (typeof target === 'object') target[member] = object.lists.has(member) ? [value].flat() : value;
        }
      }
    },
    sentName: (parameter, member) => (objects.get(parameter)?.isDeep === false ? member : `${parameter}[${member}]`),
    parameters: parameters.map((p) =>
      objects.has(p.name) && p.in === 'query' ? { ...p, style: 'form', explode: false } : p,
    ),
  };
}

interface QueryObject {
  readonly isDeep: boolean;
  readonly members: ReadonlySet<string>;
  /** Members that are lists, even with a single value. */
  readonly lists: ReadonlySet<string>;
}

interface ObjectSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, object>>;
}

function readObject(document: OpenApiDocument, parameter: ParameterObject): QueryObject | undefined {
  const { style = 'form', explode = style === 'form' } = parameter as { style?: string; explode?: boolean };
  const isDeep = style === 'deepObject';
  if (parameter.in !== 'query' || typeof parameter.schema !== 'object' || parameter.schema === null) return undefined;
  if (!isDeep && !(style === 'form' && explode)) return undefined;
  const schema = resolveReference<ObjectSchema>(document, parameter.schema as Reference);
  if (schema.type !== 'object') return undefined;
  const members = Object.entries(schema.properties ?? {});
  const lists = members.filter(([, member]) => resolveReference<ObjectSchema>(document, member).type === 'array');
  return { isDeep, members: new Set(members.map(([name]) => name)), lists: new Set(lists.map(([name]) => name)) };
}

/** Returns the member in `name[member]`; undefined for any other key. OpenAPI has no style for nested members. */
function deepMember(name: string, key: string): string | undefined {
  if (!key.startsWith(`${name}[`) || !key.endsWith(']')) return undefined;
  const member = key.slice(name.length + 1, -1);
  return member === '' || /[[\]]/.test(member) || member === '__proto__' ? undefined : member;
}
