const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/**
 * Whether lists and objects stand within each other deeper than so, in bytes that are to be JSON. To parse millions of
 * them takes seconds, and a few kilobytes unpack to as many: this looks no further than it must.
 */
export function isDeeperThan(bytes: Uint8Array, depthMax: number): boolean {
  if (bytes.length <= depthMax) return false;
  const colons = countColons(bytes, depthMax);
  if (colons === undefined) return true;
  colonsOf.set(bytes, colons);
  return false;
}

/** Long bodies are scanned once for their depth and their colons. */
const colonsOf = new WeakMap<Uint8Array, number>();

/**
 * Whether an object names a member twice, in bytes that JSON.parse takes. One reader believes the first of the two,
 * another the last (RFC 8259 §4): what was validated might not be what is read.
 */
export function hasDuplicateNames(bytes: Buffer): boolean {
  // One for each member of an object.
  let left = colonsOf.get(bytes) ?? countColons(bytes, Infinity) ?? 0;
  if (left < 2) return false;
  // A byte order mark is no part of the text.
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const pending: unknown[] = [JSON.parse(bytes.toString('utf8', start))];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) pending.push(item);
    } else {
      const members = value as Record<string, unknown>;
      // Much faster than Object.values: what JSON.parse returns inherits nothing that is enumerable.
      for (const name in members) {
        left--;
        const item = members[name];
        if (typeof item === 'object' && item !== null) pending.push(item);
      }
    }
  }
  return left > 0;
}

/** Counts the colons outside of texts; undefined where lists and objects stand deeper within each other than `depthMax`. */
function countColons(bytes: Uint8Array, depthMax: number): number | undefined {
  let [count, depth] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
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

/** Where the text that begins here is closed; -1 where it never is. */
function endOfText(bytes: Uint8Array, from: number): number {
  // Most texts are short: `indexOf` takes longer to begin than they take to read.
  for (let i = from; i < from + 12; i++) {
    if (bytes[i] === quote) return i;
    if (bytes[i] === backslash) break;
  }
  for (let end = bytes.indexOf(quote, from); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let start = end;
    while (start > from && bytes[start - 1] === backslash) start--;
    if ((end - start) % 2 === 0) return end;
  }
  return -1;
}
