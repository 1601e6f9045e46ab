import { didYouMean } from './did-you-mean.ts';
import { isLetter, isSpace, type Lexer } from './lexer.ts';
import { ODataError } from './odata-error.ts';
import { isOperator, operatorNames } from './operators.ts';
import { quoteHint } from './quote-hint.ts';

/** What other languages write → the operator of OData. */
const symbols: Readonly<Record<string, string>> = {
  ...{ '=': 'eq', '==': 'eq', '===': 'eq', '!=': 'ne', '!==': 'ne', '<>': 'ne' },
  ...{ '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' },
  ...{ '&&': 'and', '||': 'or', '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'mod' },
  ...{ like: 'contains(…)', is: 'eq', between: 'ge and le' },
};

/** An expression has ended and what follows cannot go on: says what could, and which operator was meant. */
export function failAtWord(lx: Lexer, others: readonly string[]): never {
  const { text, pos } = lx;
  let at = pos;
  while (isSpace(text.charCodeAt(at))) at++;
  let end = at;
  while (isLetter(text.charCodeAt(end))) end++;
  const word = text.slice(at, end).toLowerCase();
  const spaced = at > pos || isSpace(text.charCodeAt(at - 1));
  // An operator that binds needs a space on either side.
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
