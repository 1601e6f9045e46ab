/** A part of JSON text: some elements of its list with what stands between them, or all that is around the list. */
export interface TextPart {
  readonly kind: 'elements' | 'around';
  readonly bytes: Buffer;
}

export interface CutOptions {
  /** How deep the elements stand: 1 in an array, 2 in a member of an object. */
  readonly depth: 1 | 2;
  /** A part ends with the first element behind so many bytes. */
  readonly partBytes: number;
  /** Nothing longer comes: a part that would be ends the cutting. */
  readonly partBytesMax: number;
}

/**
 * Cuts the text of a long list between its elements, so that each part is judged alone; what is around the list comes
 * last, with an empty list in it. Pauses, yielding nothing, where a chunk ends. Whether the text is JSON is for whoever
 * parses the parts to find; each that follows another must hold an element.
 * @returns false when a part was too long
 */
export function* cutList(chunks: readonly Uint8Array[], options: CutOptions): Generator<TextPart | undefined, boolean> {
  const { depth: listDepth, partBytes, partBytesMax } = options;
  const around: Uint8Array[] = [];
  let part: Uint8Array[] = [];
  let partLength = 0;
  let aroundLength = 0;
  let depth = 0;
  let isInList = false;
  let isInString = false;
  let isEscaped = false;

  for (const chunk of inWindows(chunks)) {
    let from = 0;
    const keepUntil = (end: number) => {
      const piece = chunk.subarray(from, end);
      from = end;
      if (isInList) {
        part.push(piece);
        partLength += piece.length;
      } else {
        around.push(piece);
        aroundLength += piece.length;
      }
    };
    const takePart = (): TextPart => {
      const bytes = Buffer.concat(part, partLength);
      part = [];
      partLength = 0;
      return { kind: 'elements', bytes };
    };
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
      } else if (byte === quote) {
        isInString = true;
      } else if (byte === openBracket || byte === openBrace) {
        depth++;
        if (depth === listDepth && byte === openBracket) {
          keepUntil(at + 1);
          isInList = true;
        }
      } else if (byte === closeBracket || byte === closeBrace) {
        if (isInList && depth === listDepth) {
          keepUntil(at);
          isInList = false;
          yield takePart();
        }
        depth--;
      } else if (byte === comma && isInList && depth === listDepth && partLength + at - from >= partBytes) {
        keepUntil(at);
        from++;
        yield takePart();
      }
    }
    keepUntil(chunk.length);
    if (partLength > partBytesMax || aroundLength > partBytesMax) return false;
    yield undefined;
  }
  yield { kind: 'around', bytes: Buffer.concat(around, aroundLength) };
  return true;
}

/** What is looked at between two pauses. */
function* inWindows(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += windowBytes) yield chunk.subarray(at, at + windowBytes);
  }
}

const windowBytes = 64 * 1024;
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
