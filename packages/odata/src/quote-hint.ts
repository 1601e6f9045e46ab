/** A bare word after a comparison or at the beginning of a list. */
const bareText =
  /(?:\s(?:eq|ne|gt|ge|lt|le)\s+|\sin\s*\(\s*)(?!(?:true|false|null)\b)(\p{L}[\p{L}\p{N}_-]{0,60})\s*$/iu;
const quotedText = /'([^']{0,60})'$/u;
const wordAtStart = /^[\p{L}\p{N}_-]{0,60}/u;

/** What to write where the parser stopped beside text without its quotes, or at a quote within text; else empty. */
export function quoteHint(text: string, pos: number): string {
  const before = text.slice(Math.max(0, pos - 100), pos);
  const rest = text.slice(pos, pos + 200);
  const quoted = quotedText.exec(before)?.[1];
  if (quoted !== undefined && /^\p{L}/u.test(rest)) return quoteWithinHint(quoted, rest);
  const bare = bareText.exec(before)?.[1];
  if (bare === undefined) return '';
  const [space = ''] = /^\s*/.exec(rest) ?? [];
  const word = wordAt(rest, space.length);
  return missingQuotesHint(word === '' ? bare : `${bare}${space}${word}`);
}

/** The letters, digits, - and _ at a position; may be empty. */
export function wordAt(text: string, pos: number): string {
  return wordAtStart.exec(text.slice(pos, pos + 61))?.[0] ?? '';
}

export const missingQuotesHint = (text: string): string => ` Text needs single quotes, as in '${text}'.`;

/** `before` is the text up to its quote, `rest` what follows that. */
export const quoteWithinHint = (before: string, rest: string): string =>
  ` A quote within text is written twice, as in '${before}''${wordAt(rest, 0)}'.`;
