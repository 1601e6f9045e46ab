import { createBytesWriter } from './bytes-writer.ts';
import type { Steps } from './steps.ts';

/**
 * The UTF-8 bytes of JSON.stringify for plain data, member by member: of a document with many small parts, no part
 * keeps anybody waiting. Objects and lists are taken apart `depth` levels down; what is below is written whole.
 * `onPiece` is given the bytes as they come, such as for a digest.
 */
export function* createJsonBytesSteps(
  value: unknown,
  { depth = 3, onPiece }: { readonly depth?: number; readonly onPiece?: (piece: Buffer) => void } = {},
): Steps<Buffer> {
  const writer = createBytesWriter(onPiece);
  yield* writeSteps(value, depth, writer.write);
  return writer.end();
}

function* writeSteps(value: unknown, depth: number, write: (text: string) => void): Steps<void> {
  if (depth === 0 || !isPlainContainer(value)) {
    yield;
    write(JSON.stringify(value));
    return;
  }
  const isList = Array.isArray(value);
  write(isList ? '[' : '{');
  let separator = '';
  for (const name of Object.keys(value)) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[name];
    if (!isList && !isWritten(member)) continue;
    write(isList ? separator : `${separator}${JSON.stringify(name)}:`);
    yield* writeSteps(isWritten(member) ? member : null, depth - 1, write);
    separator = ',';
  }
  write(isList ? ']' : '}');
}

/** What has a say of its own in how it is written is left to JSON.stringify. */
function isPlainContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
