import { visit } from 'jsonc-parser';
import type { Steps } from '../steps/index.ts';
import { endOfString, endOfValue, isContainer, skipSpace } from './json-scan.ts';
import { describeSyntax, type Entry, type SyntaxFault } from './json-syntax.ts';

/** A value of a JSON text and where it stands: characters from the beginning, `end` behind its last. */
export interface Region {
  readonly start: number;
  readonly end: number;
  /** Where the name before it stands; undefined of an entry of a list, and of the whole. */
  readonly nameStart: number | undefined;
  /** Of a value that was too large to be read at once. */
  readonly children: ReadonlyMap<string | number, Region> | undefined;
}

export interface ReadJson {
  readonly value: unknown;
  readonly region: Region;
  readonly repeated: readonly RepeatedName[];
  readonly isTooDeep: boolean;
}

/** Thrown for a text that is not JSON. */
export class JsonSyntaxError extends Error {
  readonly fault: SyntaxFault;

  constructor(fault: SyntaxFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

export interface ReadLimits {
  /** What is longer is read member by member. */
  readonly lengthMax: number;
  readonly depthMax: number;
}

/**
 * Reads a JSON text in pieces that JSON.parse takes little time for: a large object or list member by member, anything
 * else whole. The value is the one that JSON.parse gives for the text.
 */
export function* readJsonSteps(text: string, { lengthMax, depthMax }: ReadLimits): Steps<ReadJson> {
  const repeated: RepeatedName[] = [];
  const path: (string | number)[] = [];
  let isTooDeep = false;

  function fail(entry: Entry, message = ''): never {
    throw new JsonSyntaxError(describeSyntax(text, entry, message));
  }

  function readWhole(start: number, end: number, entry: Entry): unknown {
    const piece = text.slice(start, end);
    let value: unknown;
    try {
      value = JSON.parse(piece);
    } catch (error) {
      fail(entry, (error as SyntaxError).message);
    }
    const keyCount = countKeys(value, path.length, depthMax);
    if (keyCount === undefined) isTooDeep = true;
    // Text between quotes can look like a name too, so only more names than keys make the exact search worth its time.
    else if ((piece.match(/"[ \t\r\n]*:/g)?.length ?? 0) > keyCount) {
      for (const found of findRepeatedNames(piece)) {
        repeated.push({ path: [...path, ...found.path], offset: start + found.offset });
      }
    }
    return value;
  }

  interface Found {
    readonly value: unknown;
    readonly region: Region;
  }

  function* readValue(start: number, nameStart: number | undefined, entry: Entry): Steps<Found> {
    const end = endOfValue(text, start, lengthMax);
    if (end !== undefined) {
      return { value: readWhole(start, end, entry), region: { start, end, nameStart, children: undefined } };
    }
    if (path.length < depthMax) return yield* readMembers(start, nameStart, entry.opening);
    isTooDeep = true;
    return { value: undefined, region: { start, end: text.length, nameStart, children: undefined } };
  }

  function* readMembers(start: number, nameStart: number | undefined, outer: string): Steps<Found> {
    const isList = text[start] === '[';
    const [close, opening, next] = isList ? [']', `${outer}[`, `${outer}[0,`] : ['}', `${outer}{`, `${outer}{"":0,`];
    const list: unknown[] = [];
    const object: Record<string, unknown> = {};
    const children = new Map<string | number, Region>();
    let entry: Entry = { offset: start + 1, opening };
    let at = skipSpace(text, start + 1);
    while (children.size > 0 || text[at] !== close) {
      yield;
      let memberStart: number | undefined;
      let key: string | number = list.length;
      if (!isList) {
        memberStart = at;
        if (text[at] !== '"') fail(entry);
        const nameEnd = endOfString(text, at);
        key = readName(text.slice(at, nameEnd), entry, fail);
        if (children.has(key)) repeated.push({ path: [...path, key], offset: at });
        at = skipSpace(text, nameEnd);
        if (text[at] !== ':') fail(entry);
        at = skipSpace(text, at + 1);
      }
      path.push(key);
      const inner = isList ? entry : { offset: at, opening: `${opening}"":` };
      const found = yield* readValue(at, memberStart, inner);
      path.pop();
      if (isTooDeep) return found;
      if (isList) list.push(found.value);
      else setOwn(object, key as string, found.value);
      children.set(key, found.region);
      at = skipSpace(text, found.region.end);
      if (text[at] === close) break;
      if (text[at] !== ',') fail({ offset: found.region.end, opening: `${next.slice(0, -1)} ` });
      entry = { offset: at + 1, opening: next };
      at = skipSpace(text, at + 1);
    }
    return { value: isList ? list : object, region: { start, end: at + 1, nameStart, children } };
  }

  const whole: Entry = { offset: 0, opening: '' };
  const start = skipSpace(text, 0);
  if (text.length <= lengthMax || !isContainer(text, start)) {
    const value = readWhole(0, text.length, whole);
    return {
      value,
      region: { start, end: text.length, nameStart: undefined, children: undefined },
      repeated,
      isTooDeep,
    };
  }
  const { value, region } = yield* readMembers(start, undefined, '');
  const rest = skipSpace(text, region.end);
  if (!isTooDeep && rest < text.length) fail({ offset: region.end, opening: '0 ' });
  return { value, region, repeated, isTooDeep };
}

function readName(piece: string, entry: Entry, fail: (entry: Entry, message: string) => never): string {
  try {
    return JSON.parse(piece) as string;
  } catch (error) {
    return fail(entry, (error as SyntaxError).message);
  }
}

/** As JSON.parse does it: `__proto__` is a name like any other. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

export interface RepeatedName {
  readonly path: readonly (string | number)[];
  readonly offset: number;
}

/** How many names the objects of a value have; undefined when it is nested too deeply. */
export function countKeys(value: unknown, depth: number, depthMax: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= depthMax) return undefined;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) {
    const inside = countKeys(child, depth + 1, depthMax);
    if (inside === undefined) return undefined;
    count += inside;
  }
  return count;
}

/** Every name that its object has already; positions from the beginning of the text. */
export function findRepeatedNames(text: string): RepeatedName[] {
  const found: RepeatedName[] = [];
  const names: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty: (name, offset, _length, _line, _character, pathTo) => {
      const seen = names.at(-1);
      if (seen?.has(name)) found.push({ path: [...pathTo(), name], offset });
      seen?.add(name);
    },
  });
  return found;
}
