import { createBytesWriter } from './bytes-writer.ts';
import type { Steps } from './steps.ts';

/**
 * Returns the UTF-8 bytes of JSON.stringify for plain data, in steps of one member, so that a large document does not block
 * the event loop. Objects and lists are split `depth` levels down.
 * @param options.onPiece Called with the bytes as they are written, such as for a digest.
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

/** Leaves objects with their own `toJSON` to JSON.stringify. */
function isPlainContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
