import { type Fault, faultsMax, Problem } from '../problem/index.ts';
import { escapeStep } from './openapi.ts';

/**
 * Parses a JSON body of at most 1,000 levels.
 * @param hasSingleNames Rejects objects that name a member twice.
 * @throws Problem `malformed_request`.
 */
export function parseJson(text: string, bytes: Buffer, hasSingleNames: boolean): unknown {
  const written = hasSingleNames || bytes.length > depthMax ? countWrittenMembers(bytes, depthMax) : 0;
  if (written === undefined) throw malformed(`The body is nested more than ${depthMax} levels deep (RFC 8259 §9).`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(`The body could not be parsed: ${describeParseError(error)}.`);
  }
  // Before the validator adds defaults.
  if (hasSingleNames && hasLostMembers(value, written))
    throw malformed('An object in the body has the same name twice. Send each name once (RFC 8259 §4).');
  return value;
}

const depthMax = 1_000;

const malformed = (detail: string) => new Problem('malformed_request', detail);

function describeParseError(error: unknown): string {
  // The message quotes the body, which must not appear in a response: only the position is used.
  const text = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(text) ?? [];
  if (/end of JSON input/.test(text)) return 'it ends before it is complete';
  return position === undefined ? 'it is not valid' : `it is not valid at position ${position}`;
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/**
 * Returns the number of object members in JSON bytes; undefined where lists and objects are nested deeper than
 * `depthMax`. Parsing millions of levels takes seconds, and a few compressed kilobytes contain that many, so the scan
 * stops at the limit.
 */
export function countWrittenMembers(bytes: Uint8Array, depthMax: number): number | undefined {
  let [count, depth] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    // Digits, commas and spaces.
    if (byte < colon && byte !== quote) continue;
    if (byte === quote) {
      i = endOfText(bytes, i + 1);
      if (i < 0) return count;
    } else if (byte === colon) count++;
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > depthMax) return undefined;
    } else if ((byte | 0x20) === 0x7d) depth--;
  }
  return count;
}

/** Returns the index of the quote that closes a text; -1 where it is missing. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; ) {
    // Most texts are short and escapes are close together: `indexOf` costs more than reading a few bytes.
    for (let near = i + nearBytes; i < near; i++) {
      const byte = bytes[i];
      if (byte === quote) return i;
      if (byte === backslash) near = ++i + nearBytes;
    }
    const end = bytes.indexOf(quote, i);
    if (end < 0) return -1;
    let start = end;
    while (start > i && bytes[start - 1] === backslash) start--;
    if ((end - start) % 2 === 0) return end;
    i = end + 1;
  }
  return -1;
}

const nearBytes = 16;

/**
 * Returns whether a value from JSON.parse has fewer members than were written, because an object named one twice. Some
 * readers use the first of the two, others the last (RFC 8259 §4), so the upstream might read another value than the one
 * validated here.
 */
export function hasLostMembers(value: unknown, written: number): boolean {
  if (written < 2) return false;
  let left = written;
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) pending.push(item);
    } else {
      const members = next as Record<string, unknown>;
      // Much faster than Object.values; values from JSON.parse inherit no enumerable members.
      for (const name in members) {
        left--;
        const item = members[name];
        if (typeof item === 'object' && item !== null) pending.push(item);
      }
    }
  }
  return left > 0;
}

/**
 * Returns the first faults in the texts of a JSON body: an unpaired surrogate (RFC 7493 §2.1) is replaced when it is
 * sent on, and U+0000 ends a text in many databases. Iterative, since a host application may have parsed a body of any
 * depth.
 */
export function findTextFaults(body: unknown): Fault[] {
  if (typeof body === 'string') return isStorable(body) ? [] : [{ pointer: '', detail }];
  const faults: Fault[] = [];
  if (!isContainer(body)) return faults;
  const path = [openFrame(body)];
  for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
    const at = frame.next++;
    if (at >= frame.length) {
      path.pop();
      continue;
    }
    const name = frame.names?.[at];
    const value =
      name === undefined ? (frame.holder as unknown[])[at] : (frame.holder as Record<string, unknown>)[name];
    if (name !== undefined && !isStorable(name)) {
      faults.push({ pointer: pointerOf(path.slice(0, -1)), detail: `has a name that ${detail}` });
    } else if (typeof value === 'string') {
      if (!isStorable(value)) faults.push({ pointer: pointerOf(path), detail });
    } else if (isContainer(value)) {
      path.push(openFrame(value));
    }
    if (faults.length >= faultsMax) break;
  }
  return faults;
}

const detail = 'must be Unicode text without U+0000 and without unpaired surrogates';

/** Returns whether valid UTF-8 JSON may contain such a text: it needs an escape, so most bodies need no walk. */
export function mayHoldTextFaults(bytes: Buffer): boolean {
  return bytes.includes('\\u');
}

/** A list or object on the path to the current value, and the position in it. */
interface Frame {
  readonly holder: object;
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

function openFrame(holder: object): Frame {
  const names = Array.isArray(holder) ? undefined : Object.keys(holder);
  return { holder, names, length: names?.length ?? (holder as unknown[]).length, next: 0 };
}

function pointerOf(path: readonly Frame[]): string {
  return path
    .map(({ names, next }) => `/${names === undefined ? next - 1 : escapeStep(names[next - 1] as string)}`)
    .join('');
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
