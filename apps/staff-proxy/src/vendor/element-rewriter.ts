import { isSpace } from '../end-check.ts';

/** Rewrites a list as it comes: whatever is ready is given back, the rest is held for the next chunk. */
export interface ElementRewriter {
  /** @throws SyntaxError for what is no list of objects; RangeError for a value beyond the bound. */
  write(bytes: Buffer): Buffer;
  /** @throws SyntaxError when the list is not complete. */
  end(): void;
}

export interface ElementRewriterOptions {
  /** What becomes of each object of the list. */
  readonly rewrite: (element: unknown) => unknown;
  /** What becomes of a member beside the list, in an envelope; undefined for one to leave out. */
  readonly rewriteMember: (name: string, value: unknown) => Member | undefined;
  /** Longest element, in bytes, and longest beginning of an envelope: one at a time is held. */
  readonly elementBytesMax?: number;
}

export type Member = readonly [name: string, value: unknown];

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** What may come next, outside of a value that is held. */
type Place = 'start' | 'element' | 'afterElement' | 'name' | 'afterName' | 'value' | 'afterValue' | 'over';

/**
 * Goes over the objects of a JSON array, or of the array `value` in an envelope, one at a time however long the array is.
 * An object that is no envelope becomes an array of one. Nothing passes that neither function was asked about.
 */
export function createElementRewriter(options: ElementRewriterOptions): ElementRewriter {
  const { rewrite, rewriteMember, elementBytesMax = 4 * 1024 * 1024 } = options;
  let place: Place = 'start';
  /** All members so far of an object that may still be an envelope or not; undefined in a bare array. */
  let members: Member[] | undefined;
  let hasList = false;
  let isFirst = true;
  let name = '';
  let held: Buffer[] = [];
  let heldBytes = 0;
  let kind: 'none' | 'text' | 'nested' | 'literal' = 'none';
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let ready: string[] = [];

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length;
    if (heldBytes > elementBytesMax) throw new RangeError('A value of the list is too long.');
    held.push(bytes);
  }

  /** Where the value that is held ends in these bytes; undefined when it goes on. */
  function findEnd(bytes: Buffer, from: number): number | undefined {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) {
          isInText = false;
          if (depth === 0) return at + 1;
        }
      } else if (kind === 'literal') {
        if (byte === comma || byte === closeBrace || isSpace(byte)) return at;
      } else if (byte === quote) {
        isInText = true;
      } else if (byte === openBrace || byte === openBracket) {
        depth++;
      } else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
        return at + 1;
      }
    }
    return undefined;
  }

  /** Takes what has been held, which is whole now. */
  function take(): void {
    const value: unknown = JSON.parse(Buffer.concat(held).toString('utf8'));
    held = [];
    kind = 'none';
    // Of an object that is no envelope all is held, up to its end.
    if (hasList || members === undefined) heldBytes = 0;
    if (place === 'element') {
      ready.push(isFirst ? '' : ',', JSON.stringify(rewrite(value)));
      isFirst = false;
      place = 'afterElement';
    } else if (place === 'name') {
      name = String(value);
      place = 'afterName';
    } else {
      if (hasList) tell(rewriteMember(name, value), ',');
      else members?.push([name, value]);
      place = 'afterValue';
    }
  }

  function tell(member: Member | undefined, separator: string): boolean {
    if (member === undefined) return false;
    ready.push(separator, JSON.stringify(member[0]), ':', JSON.stringify(member[1]));
    return true;
  }

  function openList(): void {
    if (members !== undefined) {
      if (hasList) throw malformed();
      let separator = '{';
      for (const [each, value] of members) if (tell(rewriteMember(each, value), separator)) separator = ',';
      ready.push(separator, '"value":');
      heldBytes = 0;
    }
    ready.push('[');
    hasList = true;
    place = 'element';
  }

  function closeList(): void {
    ready.push(']');
    place = members === undefined ? 'over' : 'afterValue';
  }

  function closeObject(): void {
    if (hasList) ready.push('}');
    else {
      const one = rewrite(Object.fromEntries(members ?? []));
      // What has nothing of the contract is no element of the list.
      if (typeof one !== 'object' || one === null || Object.keys(one).length === 0) throw malformed();
      ready.push('[', JSON.stringify(one), ']');
    }
    place = 'over';
  }

  /** Decides about a byte that belongs to no value; returns whether a value begins with it. */
  function begins(byte: number): boolean {
    if (place === 'element' && byte === openBrace) kind = 'nested';
    else if (place === 'name' && byte === quote) kind = 'text';
    else if (place === 'value' && !(name === 'value' && byte === openBracket)) kind = kindOf(byte);
    if (kind !== 'none') return true;
    if (place === 'start' && byte === openBrace) {
      members = [];
      place = 'name';
    } else if ((place === 'start' || place === 'value') && byte === openBracket) openList();
    else if (place === 'element' && byte === closeBracket && isFirst) closeList();
    else if (place === 'afterElement' && byte === closeBracket) closeList();
    else if (place === 'afterElement' && byte === comma) place = 'element';
    else if (place === 'afterName' && byte === colon) place = 'value';
    else if (place === 'afterValue' && byte === comma) place = 'name';
    else if (place === 'afterValue' && byte === closeBrace) closeObject();
    else throw malformed();
    return false;
  }

  return {
    write(bytes) {
      let at = 0;
      while (at < bytes.length) {
        const byte = bytes[at] as number;
        if (kind === 'none' && (isSpace(byte) || !begins(byte))) {
          at++;
          continue;
        }
        const end = findEnd(bytes, at);
        // What is held longer than this call is copied: the chunk is its owner's again.
        hold(end === undefined ? Buffer.from(bytes.subarray(at)) : bytes.subarray(at, end));
        if (end !== undefined) take();
        at = end ?? bytes.length;
      }
      const text = ready.join('');
      ready = [];
      return Buffer.from(text);
    },
    end() {
      if (place !== 'over') throw malformed();
    },
  };
}

function kindOf(byte: number): 'text' | 'nested' | 'literal' {
  if (byte === quote) return 'text';
  return byte === openBrace || byte === openBracket ? 'nested' : 'literal';
}

/** It quotes nothing of what was read. */
function malformed(): SyntaxError {
  return new SyntaxError('The text is no list of objects.');
}
