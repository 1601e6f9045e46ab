const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** One pair with what ends it. Values with a colon ought to be quoted; not everyone does. */
const pair = new RegExp(`[ \\t]*(${token})=(?:([^\\s;,"]+)|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*([;,]|$)`, 'y');
const gap = /[ \t]*([;,]|$)/y;

/**
 * For whom each proxy has forwarded, nearest last, by the `Forwarded` header (RFC 7239, section 4): an empty text where
 * one does not say. Undefined when the header is malformed anywhere: then nothing in it is what its author meant.
 */
export function parseForwardedHeader(text: string): readonly string[] | undefined {
  const callers: string[] = [];
  let caller: string | undefined;
  let hasPair = false;
  for (let at = 0; at < text.length; ) {
    pair.lastIndex = at;
    const found = pair.exec(text);
    gap.lastIndex = at;
    const end = found ?? gap.exec(text);
    if (end === null) return undefined;
    if (found !== null) {
      hasPair = true;
      if (found[1]?.toLowerCase() === 'for') {
        if (caller !== undefined) return undefined;
        caller = found[2] ?? (found[3] as string).replaceAll(/\\(.)/g, '$1');
      }
    }
    at += end[0].length;
    const separator = found === null ? end[1] : found[4];
    if (separator === ';') continue;
    if (hasPair) callers.push(caller ?? '');
    caller = undefined;
    hasPair = false;
  }
  // A pair was to follow.
  return hasPair ? undefined : callers;
}
