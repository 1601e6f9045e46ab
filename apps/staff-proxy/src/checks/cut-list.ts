import { closeBrace, closeBracket, comma, openBrace, openBracket, StringTracker } from '../json/value-scanner.ts';

/** A part of a JSON text: some elements of its list with the text between them, or all text around the list. */
export interface TextPart {
  readonly kind: 'elements' | 'around';
  readonly bytes: Buffer;
}

export interface CutOptions {
  /** Depth of the elements: 1 in an array, 2 in a member of an object. */
  readonly depth: 1 | 2;
  /** A part ends with the first element after this many bytes. */
  readonly partBytes: number;
  /** A longer part ends the cutting. */
  readonly partBytesMax: number;
}

/**
 * Cuts the text of a long list between its elements, so that each part can be checked alone; the text around the list,
 * with an empty list in it, comes last. Yields undefined at the end of each chunk. Does not validate: the parts must be
 * parsed, and each after the first must contain an element.
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
  const strings = new StringTracker();

  for (const chunk of inWindows(chunks)) {
    let from = 0;
    const holdUntil = (end: number) => {
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
      const byte = chunk[at] as number;
      if (strings.takes(byte)) continue;
      if (byte === openBracket || byte === openBrace) {
        depth++;
        if (depth === listDepth && byte === openBracket) {
          holdUntil(at + 1);
          isInList = true;
        }
      } else if (byte === closeBracket || byte === closeBrace) {
        if (isInList && depth === listDepth) {
          holdUntil(at);
          isInList = false;
          yield takePart();
        }
        depth--;
      } else if (byte === comma && isInList && depth === listDepth && partLength + at - from >= partBytes) {
        holdUntil(at);
        from++;
        yield takePart();
      }
    }
    holdUntil(chunk.length);
    if (partLength > partBytesMax || aroundLength > partBytesMax) return false;
    yield undefined;
  }
  yield { kind: 'around', bytes: Buffer.concat(around, aroundLength) };
  return true;
}

/** Splits chunks into windows that are scanned between two pauses. */
function* inWindows(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += windowBytes) yield chunk.subarray(at, at + windowBytes);
  }
}

const windowBytes = 64 * 1024;
