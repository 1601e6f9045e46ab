const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/**
 * The members of the objects in bytes that are to be JSON; undefined where lists and objects are nested deeper than
 * `depthMax`. To parse millions of them takes seconds, and a few kilobytes unpack to as many: the scan stops there.
 */
export function countWrittenMembers(bytes: Uint8Array, depthMax: number): number | undefined {
  let [count, depth] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    // Most of a list of numbers is below.
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

/**
 * Whether a value that JSON.parse returned has fewer members than were written: an object named one twice. One reader
 * uses the first of the two, another the last (RFC 8259 §4): what was validated might not be what is read.
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

/** Where the text that begins here is closed; -1 where it never is. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; ) {
    // Most texts are short, and escapes are close together: `indexOf` takes longer to begin than they take to read.
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
