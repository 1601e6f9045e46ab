/**
 * Pausable work: a generator that yields between its items and returns the result. It runs at once, as at start and in
 * tests, or in slices between the requests being served.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the work without pauses. */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export interface SliceOptions {
  /** The duration of one slice, unless a single item takes longer. */
  readonly sliceMs?: number | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Resolves when the next slice may run. */
  readonly pause?: (() => Promise<unknown>) | undefined;
}

/** Runs the work in slices, with a turn of the event loop after each. */
export async function runInSlices<T>(steps: Steps<T>, options: SliceOptions = {}): Promise<T> {
  const { sliceMs = 4, now = monotonicNow, pause = nextTurn } = options;
  let endsMs = now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (now() < endsMs) continue;
    await pause();
    endsMs = now() + sliceMs;
  }
}

const monotonicNow = () => performance.now();
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

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

const pieceLength = 65_536;

export interface BytesWriter {
  readonly write: (text: string) => void;
  /** Returns everything written, as UTF-8. */
  readonly end: () => Buffer;
}

/** Returns a writer that encodes a long text in pieces: encoding it at once would block the event loop. */
export function createBytesWriter(onPiece?: (piece: Buffer) => void): BytesWriter {
  const pieces: Buffer[] = [];
  let text = '';
  const flush = () => {
    const piece = Buffer.from(text);
    pieces.push(piece);
    onPiece?.(piece);
    text = '';
  };
  return {
    write(more) {
      text += more;
      if (text.length >= pieceLength) flush();
    },
    end() {
      flush();
      return Buffer.concat(pieces);
    },
  };
}
