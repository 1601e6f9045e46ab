import { Transform } from 'node:stream';

/** Rewrites JSON as it comes: whatever is ready is given back, the rest is kept for the next piece. */
export interface ElementRewriter {
  /** @throws SyntaxError for what is no JSON; RangeError for an element beyond the bound. */
  write(bytes: Buffer): Buffer;
  /** @throws SyntaxError when the array is not complete. */
  end(): void;
}

export interface ElementRewriterOptions {
  /** What becomes of each object of the array. */
  readonly rewrite: (element: unknown) => unknown;
  /** Longest element, in bytes: one at a time is held. */
  readonly elementBytesMax?: number;
}

const quote = 0x22;
const backslash = 0x5c;
const openArray = 0x5b;
const openObject = 0x7b;

/** Goes over the objects of a JSON array, or of the array in an envelope, one at a time however long the array is. */
export function createElementRewriter(options: ElementRewriterOptions): ElementRewriter {
  const { rewrite, elementBytesMax = 4 * 1024 * 1024 } = options;
  /** The brackets that are open; those within an element are only counted. */
  const outer: number[] = [];
  let depthInElement = 0;
  let isInText = false;
  let isEscaped = false;
  /** The element so far, as far as it came in earlier pieces. */
  let held: Buffer[] = [];
  let heldBytes = 0;

  const isPlaceOfElements = () =>
    outer.at(-1) === openArray && (outer.length === 1 || (outer.length === 2 && outer[0] === openObject));

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length;
    if (heldBytes > elementBytesMax) throw new RangeError('An element of the array is too long.');
    held.push(bytes);
  }

  function takeElement(): Buffer {
    const text = Buffer.concat(held).toString('utf8');
    held = [];
    heldBytes = 0;
    return Buffer.from(JSON.stringify(rewrite(JSON.parse(text))));
  }

  return {
    write(bytes) {
      const ready: Buffer[] = [];
      let from = 0;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at] as number;
        if (isInText) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) isInText = false;
        } else if (byte === quote) {
          isInText = true;
        } else if (byte === openObject || byte === openArray) {
          if (depthInElement > 0) depthInElement++;
          else if (byte === openObject && isPlaceOfElements()) {
            ready.push(bytes.subarray(from, at));
            from = at;
            depthInElement = 1;
          } else outer.push(byte);
        } else if (byte === openObject + 2 || byte === openArray + 2) {
          if (depthInElement === 0) {
            if (outer.pop() !== byte - 2) throw new SyntaxError('A bracket is closed that is not open.');
          } else if (--depthInElement === 0) {
            hold(bytes.subarray(from, at + 1));
            ready.push(takeElement());
            from = at + 1;
          }
        }
      }
      const rest = bytes.subarray(from);
      if (depthInElement > 0) hold(Buffer.from(rest));
      else ready.push(rest);
      return Buffer.concat(ready);
    },
    end() {
      if (outer.length > 0 || depthInElement > 0) throw new SyntaxError('The array is not complete.');
    },
  };
}

/** The same on its way from one stream to another. */
export function createElementStream({ write, end }: ElementRewriter): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(null, write(chunk));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        end();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
