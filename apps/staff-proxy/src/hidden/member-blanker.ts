import { backslash, colon, isDelimiter, openBrace, openBracket, quote, ValueScanner } from '../json/value-scanner.ts';

/**
 * Blanks members of streamed JSON by their names, at any depth: an array becomes `[]`, any other value becomes null. All
 * other bytes are unchanged. Chunks may end at any byte; only the beginning of a name is held between them.
 */
export interface MemberBlanker {
  /** Returns the chunk with the members blanked. @throws SyntaxError for text that is not JSON. */
  write(chunk: Buffer): Buffer;
  /** @throws SyntaxError when the text ends within a blanked value. */
  end(): void;
}

export interface MemberBlankerOptions {
  /** In lower case, letters only. Matches names in any case, with escapes and with annotations (`Tags@odata.count`). */
  readonly names: ReadonlySet<string>;
  /** Blanks the whole text: an array becomes `[]`, an object `{}`. */
  readonly isWhole?: boolean;
}

const at = 0x40;

/** The states of the scanner. */
const between = 0;
const inString = 1;
const inEscape = 2;
const beforeHidden = 3;
const inHidden = 4;
const afterWhole = 5;

/** Longer than any name with every letter escaped. */
const nameBytesMax = 256;

const emptyArray = Buffer.from('[]');
const emptyObject = Buffer.from('{}');
const jsonNull = Buffer.from('null');
const noBytes = Buffer.alloc(0);

/** The bytes allowed outside strings: 1 for whitespace, 2 for others. */
const structural = new Uint8Array(256);
for (const byte of Buffer.from(' \t\r\n')) structural[byte] = 1;
for (const byte of Buffer.from('{}[],:+-.0123456789aeflnrstuE')) structural[byte] = 2;

export function createMemberBlanker({ names, isWhole = false }: MemberBlankerOptions): MemberBlanker {
  const isHiddenName = createNameTest(names);
  let state = isWhole ? beforeHidden : between;
  const hiddenValue = new ValueScanner();
  /** The part of the current string from earlier chunks. */
  let carried = noBytes;
  let hasEscape = false;
  /** A string has just ended; it is a name if a colon follows. */
  let isMaybeName = false;

  function carry(bytes: Buffer): void {
    if (carried.length < nameBytesMax) carried = Buffer.concat([carried, bytes]).subarray(0, nameBytesMax);
  }

  return {
    write(chunk) {
      // JSON in UTF-8 contains no zero byte; in UTF-16 no name would be found.
      if (chunk.includes(0)) throw malformed();
      const end = chunk.length;
      const passed: Buffer[] = [];
      let pos = 0;
      /** Start of the bytes to pass on. */
      let from = 0;
      let [nameFrom, nameTo] = [0, 0];
      while (pos < end) {
        const byte = chunk[pos] as number;
        if (state === inString) {
          let next = byte;
          while (next !== quote && next !== backslash && ++pos < end) next = chunk[pos] as number;
          if (pos === end) break;
          if (next === backslash) {
            hasEscape = true;
            state = inEscape;
          } else {
            state = between;
            isMaybeName = true;
            nameTo = pos;
          }
          pos++;
        } else if (state === between) {
          pos++;
          const kind = structural[byte];
          if (byte === quote) {
            state = inString;
            hasEscape = false;
            isMaybeName = false;
            carried = noBytes;
            nameFrom = pos;
          } else if (byte === colon) {
            if (!isMaybeName) throw malformed();
            isMaybeName = false;
            const isHidden =
              carried.length === 0
                ? isHiddenName(chunk, nameFrom, nameTo, hasEscape)
                : isHiddenName(Buffer.concat([carried, chunk.subarray(nameFrom, nameTo)]), 0, undefined, hasEscape);
            if (isHidden) state = beforeHidden;
          } else if (kind === 2) isMaybeName = false;
          else if (kind === 0) throw malformed();
        } else if (state === inEscape) {
          state = inString;
          pos++;
        } else if (state === inHidden) {
          const valueTo = hiddenValue.findEnd(chunk, pos);
          if (valueTo === undefined) break;
          state = isWhole ? afterWhole : between;
          pos = valueTo;
          from = valueTo;
        } else if (state === beforeHidden) {
          const kind = structural[byte];
          if (kind === 1) {
            pos++;
            continue;
          }
          if (!isWhole && isNull(chunk, pos)) {
            state = between;
            pos += 4;
            continue;
          }
          const isNested = byte === openBracket || byte === openBrace;
          if (!isNested && (isWhole || (byte !== quote && (kind !== 2 || isDelimiter(byte))))) throw malformed();
          passed.push(chunk.subarray(from, pos));
          passed.push(byte === openBracket ? emptyArray : isWhole ? emptyObject : jsonNull);
          hiddenValue.begin(byte);
          state = inHidden;
        } else {
          if (structural[byte] !== 1) throw malformed();
          pos++;
        }
      }
      if (state === inString || state === inEscape) carry(chunk.subarray(nameFrom));
      else if (isMaybeName) carry(chunk.subarray(nameFrom, nameTo));
      const isPassing = state !== inHidden;
      if (isPassing && from === 0 && passed.length === 0) return chunk;
      if (isPassing) passed.push(chunk.subarray(from));
      return passed.length === 1 ? (passed[0] as Buffer) : Buffer.concat(passed);
    },
    end() {
      if (state !== between && state !== afterWhole) throw malformed();
    },
  };
}

/** Fast path: most values of hidden members are null already. */
function isNull(chunk: Buffer, from: number): boolean {
  const isLiteral =
    chunk[from] === 0x6e && chunk[from + 1] === 0x75 && chunk[from + 2] === 0x6c && chunk[from + 3] === 0x6c;
  return isLiteral && isDelimiter(chunk[from + 4] ?? 0);
}

type NameTest = (bytes: Buffer, from: number, to: number | undefined, hasEscape: boolean) => boolean;

/** Returns a test that compares by first letter and length before the rest. */
function createNameTest(names: ReadonlySet<string>): NameTest {
  const byFirst: Buffer[][] = Array.from({ length: 256 }, () => []);
  for (const name of names) {
    if (!/^[a-z]+$/.test(name)) throw new Error(`Only names of letters can be hidden, not ${name}.`);
    const bytes = Buffer.from(name);
    for (const first of Buffer.from(name.slice(0, 1) + name.slice(0, 1).toUpperCase())) byFirst[first]?.push(bytes);
  }
  return (bytes, from, to = bytes.length, hasEscape = false) => {
    if (from === to) return false;
    if (hasEscape) return names.has(decodeName(bytes.toString('utf8', from, to)));
    const candidates = byFirst[bytes[from] as number] as Buffer[];
    for (let i = 0; i < candidates.length; i++) {
      const name = candidates[i] as Buffer;
      const rest = from + name.length;
      if (rest !== to && !(rest < to && bytes[rest] === at)) continue;
      let same = 1;
      while (same < name.length && ((bytes[from + same] as number) | 0x20) === name[same]) same++;
      if (same === name.length) return true;
    }
    return false;
  };
}

/** Returns the name as a parser reads it, without its annotation. */
function decodeName(text: string): string {
  const decoded = text.replaceAll(/\\(?:u([\dA-Fa-f]{4})|(.))/g, (_, code?: string, letter?: string) =>
    code === undefined ? (letter ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return (decoded.split('@', 1)[0] ?? '').toLowerCase();
}

/** Returns an error that does not quote the text. */
function malformed(): SyntaxError {
  return new SyntaxError('The text is not JSON in UTF-8.');
}
