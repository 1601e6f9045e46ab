const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/**
 * Whether lists and objects stand within each other deeper than so, in bytes that are to be JSON. To parse millions of
 * them takes seconds, and a few kilobytes unpack to as many: this looks no further than it must.
 */
export function isDeeperThan(bytes: Uint8Array, depthMax: number): boolean {
  if (bytes.length <= depthMax) return false;
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === quote) {
      i = endOfText(bytes, i + 1);
      if (i < 0) return false;
      // `[` and `{` differ in one bit, and so do `]` and `}`.
    } else if ((byte | 0x20) === 0x7b) {
      if (++depth > depthMax) return true;
    } else if ((byte | 0x20) === 0x7d) depth--;
  }
  return false;
}

/**
 * Whether an object names a member twice, in bytes that JSON.parse takes. One reader believes the first of the two,
 * another the last (RFC 8259 §4): what was validated might not be what is read.
 */
export function hasDuplicateNames(bytes: Buffer): boolean {
  let left = countColons(bytes);
  if (left < 2) return false;
  // A reader of UTF-8 skips a byte order mark.
  const pending: unknown[] = [JSON.parse(new TextDecoder().decode(bytes))];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const items = Object.values(value as object);
    if (!Array.isArray(value)) left -= items.length;
    for (const item of items) if (typeof item === 'object' && item !== null) pending.push(item);
  }
  return left > 0;
}

/** One for each member of an object. */
function countColons(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) i = endOfText(bytes, i + 1);
    else if (byte === colon) count++;
  }
  return count;
}

/** Where the text that begins here is closed; -1 where it never is. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let end = bytes.indexOf(quote, from); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let start = end;
    while (start > from && bytes[start - 1] === backslash) start--;
    if ((end - start) % 2 === 0) return end;
  }
  return -1;
}
