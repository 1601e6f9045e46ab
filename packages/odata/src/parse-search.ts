import type { SearchText } from './ast.ts';
import { isSpace, type Lexer } from './lexer.ts';

const wordRule = /[^\s()"';][^\s()";]*/y;
const phraseRule = /"[^"]+"/y;
const incompleteRule = /'(?:''|[^'])*'/y;
const outlawed = '#[]{}<>\\^`|';
const nestedOptionRule = /;(?:@\w+|\$?[a-z]+)=/iy;

/**
 * Checks the syntax of `$search` and returns its text: words and phrases with NOT, AND, OR (upper case) and parentheses.
 * These words are operators only in the position of an operator (OData Part 2, 5.1.7).
 */
export function parseSearchText(lx: Lexer): SearchText {
  lx.space();
  const offset = lx.pos;
  if (lx.peek() === 39) takeIncomplete(lx);
  else takeTerms(lx);
  return { text: lx.text.slice(offset, lx.pos), offset, end: lx.pos };
}

/** Takes a searchExpr-incomplete, an unfinished search in single quotes. */
function takeIncomplete(lx: Lexer): void {
  incompleteRule.lastIndex = lx.pos;
  if (!incompleteRule.test(lx.text)) lx.fail("the closing quote '", lx.text.length);
  lx.pos = incompleteRule.lastIndex;
}

function takeTerms(lx: Lexer): void {
  do takeTerm(lx);
  while (takeOperator(lx));
}

/** Takes the white space before a term, with AND or OR. White space alone is an implicit AND. */
function takeOperator(lx: Lexer): boolean {
  const { text } = lx;
  const at = termAfter(text, lx.pos);
  if (at < 0) return false;
  const word = ['AND', 'OR'].find((operator) => text.startsWith(operator, at));
  const afterWord = word === undefined ? -1 : termAfter(text, at + word.length);
  lx.pos = Math.max(at, afterWord);
  return true;
}

/** Returns the index after the white space at `from` when a term follows, else -1. */
function termAfter(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  const code = text.charCodeAt(at);
  return at > from && at < text.length && code !== 41 && code !== 59 ? at : -1;
}

function takeTerm(lx: Lexer): void {
  lx.node();
  if (lx.take('(')) {
    lx.enter();
    lx.space();
    takeTerms(lx);
    lx.space();
    if (!lx.take(')')) lx.fail(['a search term', '")"']);
    lx.leave();
    return;
  }
  const operand = lx.text.startsWith('NOT', lx.pos) ? termAfter(lx.text, lx.pos + 3) : -1;
  if (operand >= 0) {
    lx.enter();
    lx.pos = operand;
    takeTerm(lx);
    lx.leave();
  } else if (lx.peek() === 34) takePhrase(lx);
  else takeSearchWord(lx);
}

function takePhrase(lx: Lexer): void {
  const offset = lx.pos;
  phraseRule.lastIndex = offset;
  if (!phraseRule.test(lx.text)) {
    const close = lx.text.indexOf('"', offset + 1);
    lx.fail(
      close === offset + 1 ? 'the text of the phrase' : 'the closing " of the phrase',
      close < 0 ? lx.text.length : close,
    );
  }
  lx.pos = phraseRule.lastIndex;
}

function takeSearchWord(lx: Lexer): void {
  const offset = lx.pos;
  do {
    wordRule.lastIndex = lx.pos;
    if (wordRule.test(lx.text)) lx.pos = wordRule.lastIndex;
  } while (takesSemicolon(lx));
  if (lx.pos === offset) lx.fail('a search word');
  rejectUnencoded(lx, offset);
}

/** Rejects characters that a URL cannot contain (RFC 3986), unless they are encoded. */
function rejectUnencoded(lx: Lexer, from: number): void {
  const { isEncoded } = lx;
  if (isEncoded === undefined) return;
  for (let at = from; at < lx.pos; at++) {
    if (outlawed.includes(lx.text[at] as string) && !isEncoded(at)) lx.fail('a percent-encoded character', at);
  }
}

/**
 * Takes a `;` that belongs to a word, which must be encoded as `%3B`. When the caller decoded the text, a `;` before an
 * option separates nested options.
 */
function takesSemicolon(lx: Lexer): boolean {
  if (lx.peek() !== 59) return false;
  if (lx.isEncoded !== undefined) {
    if (!lx.isEncoded(lx.pos)) return false;
  } else if (lx.expandDepth > 0) {
    nestedOptionRule.lastIndex = lx.pos;
    if (nestedOptionRule.test(lx.text)) return false;
  }
  lx.pos++;
  return true;
}
