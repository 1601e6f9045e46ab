// jsonc-parser's scanner takes three times as long, which is more than JSON.parse itself.

/** Returns the offset after the value that begins here, valid or not; undefined for a longer object or list. */
export function endOfValue(text: string, start: number, lengthMax: number): number | undefined {
  if (text.charCodeAt(start) === quote) return endOfString(text, start);
  if (!isContainer(text, start)) {
    scalarEnd.lastIndex = start;
    return scalarEnd.test(text) ? scalarEnd.lastIndex - 1 : text.length;
  }
  let depth = 0;
  const last = start + lengthMax;
  for (let at = start; at < last && at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    at++;
    if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

export function isContainer(text: string, at: number): boolean {
  return text[at] === '{' || text[at] === '[';
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
    at++;
    code = text.charCodeAt(at);
  }
  return at;
}

/** Returns the offset after the closing quote; the end of the text when there is none. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

const scalarEnd = /[\s,\]}]/g;
const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];
