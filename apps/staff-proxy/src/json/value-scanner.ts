export const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
export const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** JSON whitespace (RFC 8259 §2). */
export const jsonSpaces: ReadonlySet<number | undefined> = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** Whether a byte follows a value or a name. */
export function isDelimiter(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte === colon;
}

/** Tracks which bytes of a JSON text belong to strings. */
export class StringTracker {
  isInside = false;
  #isEscaped = false;

  /** Whether the next byte belongs to a string, quotes included. */
  takes(byte: number): boolean {
    if (!this.isInside) {
      this.isInside = byte === quote;
      return this.isInside;
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.isInside = false;
    return true;
  }
}

/** Finds the end of a JSON value that arrives in chunks. Does not validate. */
export class ValueScanner {
  readonly #strings = new StringTracker();
  #isLiteral = false;
  #depth = 0;

  /** Starts a value; `findEnd` takes its first byte again. */
  begin(first: number): void {
    this.#isLiteral = first !== quote && first !== openBrace && first !== openBracket;
    this.#depth = 0;
  }

  /** Returns the index after the value; undefined when it continues in the next chunk. */
  findEnd(bytes: Uint8Array, from: number): number | undefined {
    return this.#isLiteral ? endOfLiteral(bytes, from) : this.#endOfNested(bytes, from);
  }

  #endOfNested(bytes: Uint8Array, from: number): number | undefined {
    const strings = this.#strings;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (strings.takes(byte)) {
        if (this.#depth === 0 && !strings.isInside) return at + 1;
      } else if (byte === openBrace || byte === openBracket) {
        this.#depth++;
      } else if ((byte === closeBrace || byte === closeBracket) && --this.#depth === 0) {
        return at + 1;
      }
    }
    return undefined;
  }
}

function endOfLiteral(bytes: Uint8Array, from: number): number | undefined {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isDelimiter(byte) || jsonSpaces.has(byte)) return at;
  }
  return undefined;
}
