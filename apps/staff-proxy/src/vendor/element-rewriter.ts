import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  jsonSpaces,
  openBrace,
  openBracket,
  quote,
  ValueScanner,
} from '../json/value-scanner.ts';

/** Rewrites a streamed list: returns what is complete and holds the rest for the next chunk. */
export interface ElementRewriter {
  /** @throws SyntaxError for text that is not a list of objects; RangeError for too long a value. */
  write(bytes: Buffer): Buffer;
  /** @throws SyntaxError when the list is not complete. */
  end(): void;
}

export interface ElementRewriterOptions {
  /** Converts an object of the list. */
  readonly rewrite: (element: unknown) => unknown;
  /** Converts a member of an envelope beside the list; undefined leaves it out. */
  readonly rewriteMember: (name: string, value: unknown) => Member | undefined;
  /** Longest element, in bytes, and longest beginning of an envelope; one of them is held at a time. */
  readonly elementBytesMax?: number;
}

export type Member = readonly [name: string, value: unknown];

/** The expected token, outside a held value. */
type Place = 'start' | 'element' | 'afterElement' | 'name' | 'afterName' | 'value' | 'afterValue' | 'over';

/**
 * Rewrites the objects of a JSON array, or of the array `value` in an envelope, one at a time. An object that is not an
 * envelope becomes an array of one. All output comes from the two functions.
 */
export function createElementRewriter(options: ElementRewriterOptions): ElementRewriter {
  const { rewrite, rewriteMember, elementBytesMax = 4 * 1024 * 1024 } = options;
  let place: Place = 'start';
  /** The members before the list of a possible envelope; undefined in a bare array. */
  let members: Member[] | undefined;
  let hasList = false;
  let isFirst = true;
  let name = '';
  let held: Buffer[] = [];
  let heldBytes = 0;
  const scanner = new ValueScanner();
  let isInValue = false;
  let ready: string[] = [];

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length;
    if (heldBytes > elementBytesMax) throw new RangeError('A value of the list is too long.');
    held.push(bytes);
  }

  /** Takes the held value, which is complete. */
  function take(): void {
    const value: unknown = JSON.parse(Buffer.concat(held).toString('utf8'));
    held = [];
    isInValue = false;
    // A lone object is held whole.
    if (hasList || members === undefined) heldBytes = 0;
    if (place === 'element') {
      ready.push(isFirst ? '' : ',', JSON.stringify(rewrite(value)));
      isFirst = false;
      place = 'afterElement';
    } else if (place === 'name') {
      name = String(value);
      place = 'afterName';
    } else {
      if (hasList) writeMember(rewriteMember(name, value), ',');
      else members?.push([name, value]);
      place = 'afterValue';
    }
  }

  function writeMember(member: Member | undefined, separator: string): boolean {
    if (member === undefined) return false;
    ready.push(separator, JSON.stringify(member[0]), ':', JSON.stringify(member[1]));
    return true;
  }

  function openList(): void {
    if (members !== undefined) {
      if (hasList) throw malformed();
      let separator = '{';
      for (const [each, value] of members) if (writeMember(rewriteMember(each, value), separator)) separator = ',';
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
      // An object without members of the contract is not an element.
      if (typeof one !== 'object' || one === null || Object.keys(one).length === 0) throw malformed();
      ready.push('[', JSON.stringify(one), ']');
    }
    place = 'over';
  }

  /** Handles a byte outside values; returns whether a value begins with it. */
  function begins(byte: number): boolean {
    if (
      (place === 'element' && byte === openBrace) ||
      (place === 'name' && byte === quote) ||
      (place === 'value' && !(name === 'value' && byte === openBracket))
    ) {
      scanner.begin(byte);
      return true;
    }
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
        if (!isInValue && (jsonSpaces.has(byte) || !begins(byte))) {
          at++;
          continue;
        }
        isInValue = true;
        const end = scanner.findEnd(bytes, at);
        // Bytes held beyond this call are copied: the caller may reuse the chunk.
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

/** Returns an error that does not quote the text. */
function malformed(): SyntaxError {
  return new SyntaxError('The text is not a list of objects.');
}
