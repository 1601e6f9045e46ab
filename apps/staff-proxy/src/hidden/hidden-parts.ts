import { Readable } from 'node:stream';
import { type OpenApiDocument, type OperationObject, type RawReply, resolveReference } from '@rostergate/server';
import { rewriteBytes, rewriteStream } from '../json/json-rewriter.ts';
import { createOwnTag, namesTag } from '../reads/entity-tags.ts';
import type { SendCall } from '../staff-call.ts';
import { notTheContract } from '../upstream/upstream-problem.ts';
import { createMemberBlanker, type MemberBlanker } from './member-blanker.ts';

/** The parts of the contract for administrators only (`x-admin-only`): tags, skills and profiles. */
export interface HiddenParts {
  /** Names of hidden members, in lower case. */
  readonly names: ReadonlySet<string>;
  /** How much of an operation's successful response is hidden; undefined for nothing. */
  readonly inResponseOf: (operationId: string) => 'members' | 'whole' | undefined;
  /** The properties of an operation's response that are visible to every key. */
  readonly visibleIn: (operationId: string) => PropertyTree;
  /** All properties of an operation's response: the hidden ones too, but none that is write-only. */
  readonly readableIn: (operationId: string) => PropertyTree;
  /** Names of write-only members, which no response contains, in lower case. */
  readonly writeOnly: ReadonlySet<string>;
}

/** The properties of an object or of the objects in a list, by their names in lower case. */
export type PropertyTree = ReadonlyMap<string, PropertyNode>;

export interface PropertyNode {
  readonly name: string;
  /** The properties of its value. */
  readonly properties: Pick<PropertyTree, 'get'>;
}

interface SchemaObject {
  readonly 'x-admin-only'?: boolean;
  readonly writeOnly?: boolean;
  readonly items?: SchemaObject;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
}

interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema?: SchemaObject }>>;
}

/** Returns the parts of the contract that are hidden from the keys of accounts without `admin: true`. */
export function findHiddenParts(document: OpenApiDocument): HiddenParts {
  const names = new Set<string>();
  const found = new Map<string, 'members' | 'whole'>();
  const successes = successesOf(document);
  const resolve = (schema: SchemaObject) => resolveReference<SchemaObject>(document, schema);

  function isHidden(schema: SchemaObject): boolean {
    const { 'x-admin-only': isAdminOnly, items } = resolve(schema);
    return isAdminOnly === true || (items !== undefined && isHidden(items));
  }

  /** Whether any part is hidden. No schema of the contract is recursive. */
  function visit(schema: SchemaObject): boolean {
    const { items, properties = {} } = resolve(schema);
    const within = Object.entries(properties).map(([name, property]) => {
      if (!isHidden(property)) return visit(property);
      names.add(name.toLowerCase());
      return true;
    });
    return (items !== undefined && visit(items)) || within.includes(true);
  }

  for (const [operationId, schema] of successes) {
    if (isHidden(schema)) found.set(operationId, 'whole');
    else if (visit(schema)) found.set(operationId, 'members');
  }

  const writeOnly = new Set<string>();

  function treeOf(schema: SchemaObject, leftOut: ReadonlySet<string>): PropertyTree {
    const { items, properties = {} } = resolve(schema);
    if (items !== undefined) return treeOf(items, leftOut);
    const tree = new Map<string, PropertyNode>();
    for (const [name, property] of Object.entries(properties)) {
      const lowerName = name.toLowerCase();
      if (resolve(property).writeOnly === true) writeOnly.add(lowerName);
      else if (!leftOut.has(lowerName)) tree.set(lowerName, { name, properties: treeOf(property, leftOut) });
    }
    return tree;
  }

  const treesWithout = (leftOut: ReadonlySet<string>) =>
    new Map(successes.map(([operationId, schema]) => [operationId, treeOf(schema, leftOut)]));
  const readable = treesWithout(new Set());
  const visible = treesWithout(names);
  return {
    names,
    inResponseOf: (operationId) => found.get(operationId),
    visibleIn: (operationId) => visible.get(operationId) ?? new Map(),
    readableIn: (operationId) => readable.get(operationId) ?? new Map(),
    writeOnly,
  };
}

function successesOf({ paths }: OpenApiDocument): (readonly [operationId: string, schema: SchemaObject])[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as OperationObject[]);
  return operations.flatMap(({ operationId, responses = {} }) =>
    Object.entries(responses as Record<string, ResponseObject>).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema;
      return operationId !== undefined && status.startsWith('2') && schema !== undefined ? [[operationId, schema]] : [];
    }),
  );
}

/**
 * Blanks in every response the parts that are hidden from keys without the scope `admin`. The upstream's entity tag may
 * depend on hidden parts, so it is replaced by a tag of the visible ones in short responses, and dropped in streams.
 */
export function withHiddenParts(send: SendCall, { names, inResponseOf }: HiddenParts): SendCall {
  return (call, caller) => {
    const hidden = inResponseOf(call.operation.operationId);
    if (hidden === undefined) return send(call, caller);
    const { 'If-None-Match': condition, ...headers } = call.headers;
    return send({ ...call, headers }, caller).then((reply) =>
      hide(reply, createMemberBlanker({ names, isWhole: hidden === 'whole' }), condition),
    );
  };
}

function hide(reply: RawReply, blanker: MemberBlanker, condition: string | undefined): RawReply {
  const { status, raw, contentType } = reply;
  const { 'Content-Length': _length, ETag: _tag, ...headers } = reply.headers ?? {};
  if (!isUtf8(contentType)) {
    if (raw instanceof Readable) raw.destroy();
    throw notTheContract(status);
  }
  if (raw instanceof Readable) {
    return { status, contentType, headers, raw: rewriteStream(raw, blanker, status) };
  }
  const visible = rewriteBytes(Buffer.from(raw), blanker, status);
  const tag = createOwnTag(visible);
  const tagged = { ...headers, ETag: tag };
  return condition !== undefined && namesTag(condition, tag)
    ? { status: 304, raw: '', contentType, headers: tagged }
    : { status, raw: visible, contentType, headers: tagged };
}

/** The blanker finds no names in another character set. */
function isUtf8(contentType = ''): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  return /^utf-?8$/i.test(charset);
}
