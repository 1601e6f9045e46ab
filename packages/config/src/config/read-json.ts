import type { Steps } from '@rostergate/server/steps';
import { visit } from 'jsonc-parser';

/** The offsets of a value in a JSON text; `end` is after its last character. */
export interface Region {
  readonly start: number;
  readonly end: number;
  /** The offset of its name; undefined for a list entry and for the whole. */
  readonly nameStart: number | undefined;
  /** The members of a value that was too large to be parsed at once. */
  readonly children: ReadonlyMap<string | number, Region> | undefined;
}

export interface ReadJson {
  readonly value: unknown;
  readonly region: Region;
  readonly repeated: readonly RepeatedName[];
  readonly isTooDeep: boolean;
}

/** A place in a text at which parsing can begin. */
export interface Entry {
  readonly offset: number;
  /** A text that brings a parser into the state at the offset: what is open there, such as `{"":[0,`. */
  readonly opening: string;
}

/** A text is not JSON: the fault is at or after the entry. */
export class JsonSyntaxError extends Error {
  readonly entry: Entry;
  /** The message of JSON.parse, which may quote the text and its secrets. */
  readonly parserMessage: string;

  constructor(entry: Entry, parserMessage = '') {
    super('The text is not JSON.');
    this.entry = entry;
    this.parserMessage = parserMessage;
  }
}

export interface ReadLimits {
  /** A longer value is parsed member by member. */
  readonly lengthMax: number;
  readonly depthMax: number;
}

/**
 * Parses a JSON text in steps that each take little time: a large object or list member by member, other values whole.
 * The value equals that of JSON.parse. jsonc-parser cannot pause, and does not report repeated names.
 */
export function* readJsonSteps(text: string, { lengthMax, depthMax }: ReadLimits): Steps<ReadJson> {
  const repeated: RepeatedName[] = [];
  const path: (string | number)[] = [];
  let isTooDeep = false;

  function readWhole(start: number, end: number, entry: Entry): unknown {
    const piece = text.slice(start, end);
    let value: unknown;
    try {
      value = JSON.parse(piece);
    } catch (error) {
      throw new JsonSyntaxError(entry, (error as SyntaxError).message);
    }
    const keyCount = countKeys(value, path.length, depthMax);
    if (keyCount === undefined) isTooDeep = true;
    // Text in a string can look like a name, so more names than keys only call for the exact search.
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
        if (text[at] !== '"') throw new JsonSyntaxError(entry);
        const nameEnd = endOfString(text, at);
        key = readName(text.slice(at, nameEnd), entry);
        if (children.has(key)) repeated.push({ path: [...path, key], offset: at });
        at = skipSpace(text, nameEnd);
        if (text[at] !== ':') throw new JsonSyntaxError(entry);
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
      if (text[at] !== ',') {
        throw new JsonSyntaxError({ offset: found.region.end, opening: `${next.slice(0, -1)} ` });
      }
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
  if (!isTooDeep && rest < text.length) throw new JsonSyntaxError({ offset: region.end, opening: '0 ' });
  return { value, region, repeated, isTooDeep };
}

function readName(piece: string, entry: Entry): string {
  try {
    return JSON.parse(piece) as string;
  } catch (error) {
    throw new JsonSyntaxError(entry, (error as SyntaxError).message);
  }
}

/** Sets a member as JSON.parse does: `__proto__` is an ordinary name. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

interface RepeatedName {
  readonly path: readonly (string | number)[];
  readonly offset: number;
}

/** Counts the names of all objects in a value; undefined when it is nested too deeply. */
function countKeys(value: unknown, depth: number, depthMax: number): number | undefined {
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

/** Finds every name that its object already has, with its offset in the text. */
function findRepeatedNames(text: string): RepeatedName[] {
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

// jsonc-parser's scanner takes three times as long, which is more than JSON.parse itself.

/** Returns the offset after the value that begins here, valid or not; undefined for a longer object or list. */
function endOfValue(text: string, start: number, lengthMax: number): number | undefined {
  if (text.charCodeAt(start) === quote) return endOfString(text, start);
  if (!isContainer(text, start)) {
    scalarEnd.lastIndex = start;
    return scalarEnd.test(text) ? scalarEnd.lastIndex - 1 : text.length;
  }
  let depth = 0;
  const last = start + lengthMax;
  for (let at = start; at < last && at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    at++;
    if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

function isContainer(text: string, at: number): boolean {
  return text[at] === '{' || text[at] === '[';
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
    at++;
    code = text.charCodeAt(at);
  }
  return at;
}

/** Returns the offset after the closing quote; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

const scalarEnd = /[\s,\]}]/g;
const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];
