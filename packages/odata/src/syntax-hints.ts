import { didYouMean } from './did-you-mean.ts';
import { isLetter, isSpace, type Lexer } from './lexer.ts';
import { ODataError } from './odata-error.ts';
import { isOperator, operatorNames } from './vocabulary.ts';

/** Operators of other languages, each with the OData operator. */
const symbols: Readonly<Record<string, string>> = {
  ...{ '=': 'eq', '==': 'eq', '===': 'eq', '!=': 'ne', '!==': 'ne', '<>': 'ne' },
  ...{ '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' },
  ...{ '&&': 'and', '||': 'or', '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'mod' },
  ...{ like: 'contains(…)', is: 'eq', between: 'ge and le' },
};

/** Rejects the text after an expression, and suggests an operator. */
export function failAtWord(lx: Lexer, others: readonly string[]): never {
  const { text, pos } = lx;
  let at = pos;
  while (isSpace(text.charCodeAt(at))) at++;
  let end = at;
  while (isLetter(text.charCodeAt(end))) end++;
  const word = text.slice(at, end).toLowerCase();
  const spaced = at > pos || isSpace(text.charCodeAt(at - 1));
  // An operator needs a space on each side.
  if (spaced && isOperator(word)) lx.fail('a space', end);
  const symbol = /^[=!<>&|+*/%-]+/.exec(text.slice(at, at + 3))?.[0];
  const symbolMeant = symbol === undefined ? undefined : own(symbol);
  const meant =
    symbolMeant ?? (spaced && word !== '' ? (own(word) ?? didYouMean(word, [...operatorNames, ...others])) : undefined);
  const expected = ['an operator', ...others];
  const hint = quoteHint(text, pos);
  if (meant === undefined) return lx.fail(expected, at, hint);
  const found = JSON.stringify(symbolMeant === undefined ? text.slice(at, end) : symbol);
  throw new ODataError(
    'syntax',
    `Expected an operator at offset ${at}, found ${found}: did you mean ${meant}?${hint}`,
    {
      offset: at,
      expected,
      didYouMean: meant,
    },
  );
}

const own = (word: string): string | undefined => (Object.hasOwn(symbols, word) ? symbols[word] : undefined);

/** A word without quotes, after a comparison or at the start of a list. */
const bareText =
  /(?:\s(?:eq|ne|gt|ge|lt|le)\s+|\sin\s*\(\s*)(?!(?:true|false|null)\b)(\p{L}[\p{L}\p{N}_-]{0,60})\s*$/iu;
const quotedText = /'([^']{0,60})'$/u;
const wordAtStart = /^[\p{L}\p{N}_-]{0,60}/u;

/** Returns a hint about missing quotes, or about a quote within text. Empty when neither is likely. */
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

/** Returns the letters, digits, - and _ at a position. Can be empty. */
export function wordAt(text: string, pos: number): string {
  return wordAtStart.exec(text.slice(pos, pos + 61))?.[0] ?? '';
}

export const missingQuotesHint = (text: string): string => ` Text needs single quotes, as in '${text}'.`;

/** Returns a hint to double the quote between `before` and `rest`. */
export const quoteWithinHint = (before: string, rest: string): string =>
  ` A quote within text is written twice, as in '${before}''${wordAt(rest, 0)}'.`;
