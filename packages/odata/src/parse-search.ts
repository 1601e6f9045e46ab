import type { SearchExpression } from './ast.ts';
import { isSpace, type Lexer } from './lexer.ts';

const wordRule = /[^\s()"';][^\s()";]*/y;
const phraseRule = /"[^"]+"/y;
const incompleteRule = /'(?:''|[^'])*'/y;
const outlawed = '#[]{}<>\\^`|';
const nestedOptionRule = /;(?:@\w+|\$?[a-z]+)=/iy;

/**
 * Parses `$search`: words and phrases with NOT, AND, OR (upper case) and parentheses.
 * These words are operators only in the position of an operator (OData Part 2, 5.1.7).
 */
export function parseSearchExpression(lx: Lexer): SearchExpression {
  lx.space();
  if (lx.peek() === 39) return incomplete(lx);
  return parseOr(lx);
}

/** Parses a searchExpr-incomplete, an unfinished search in single quotes. */
function incomplete(lx: Lexer): SearchExpression {
  const offset = lx.pos;
  incompleteRule.lastIndex = offset;
  if (!incompleteRule.test(lx.text)) lx.fail("the closing quote '", lx.text.length);
  lx.pos = incompleteRule.lastIndex;
  const text = lx.text.slice(offset + 1, lx.pos - 1).replaceAll("''", "'");
  return { kind: 'phrase', text, offset, end: lx.pos };
}

function parseOr(lx: Lexer): SearchExpression {
  const operands = [parseAnd(lx)];
  while (takeBetween(lx, 'OR')) operands.push(parseAnd(lx));
  return join('or', operands);
}

function parseAnd(lx: Lexer): SearchExpression {
  const operands = [parseTerm(lx)];
  for (;;) {
    if (takeBetween(lx, 'AND')) operands.push(parseTerm(lx));
    else if (startsTerm(lx)) {
      lx.space();
      operands.push(parseTerm(lx));
    } else return join('and', operands);
  }
}

function join(kind: 'and' | 'or', operands: SearchExpression[]): SearchExpression {
  if (operands.length === 1) return operands[0]!;
  return { kind, operands, offset: operands[0]!.offset, end: operands.at(-1)!.end };
}

/** Returns whether RWS term follows, an implicit AND. The operator OR does not start a term. */
function startsTerm(lx: Lexer): boolean {
  if (!isSpace(lx.peek())) return false;
  const start = lx.pos;
  lx.space();
  const code = lx.peek();
  const starts = !lx.atEnd() && code !== 41 && code !== 59;
  lx.pos = start;
  return starts && operatorEnd(lx, 'OR') < 0;
}

function takeBetween(lx: Lexer, word: string): boolean {
  const end = operatorEnd(lx, word);
  if (end < 0) return false;
  lx.pos = end;
  return true;
}

/** Returns the index after RWS word RWS when a term follows, else -1. */
function operatorEnd(lx: Lexer, word: string): number {
  const { text } = lx;
  let at = lx.pos;
  if (!isSpace(text.charCodeAt(at))) return -1;
  while (isSpace(text.charCodeAt(at))) at++;
  if (!text.startsWith(word, at)) return -1;
  return termAfter(text, at + word.length);
}

/** Returns the index after the white space at `from` when a term follows, else -1. */
function termAfter(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  const code = text.charCodeAt(at);
  return at > from && at < text.length && code !== 41 && code !== 59 ? at : -1;
}

function parseTerm(lx: Lexer): SearchExpression {
  lx.node();
  const offset = lx.pos;
  if (lx.take('(')) {
    lx.enter();
    lx.space();
    const inner = parseOr(lx);
    lx.space();
    if (!lx.take(')')) lx.fail(['a search term', '")"']);
    lx.leave();
    return inner;
  }
  if (lx.text.startsWith('NOT', offset)) {
    const end = termAfter(lx.text, offset + 3);
    if (end >= 0) {
      lx.enter();
      lx.pos = end;
      const operand = parseTerm(lx);
      lx.leave();
      return { kind: 'not', operand, offset, end: lx.pos };
    }
  }
  if (lx.peek() === 34) return phrase(lx);
  return searchWord(lx);
}

function phrase(lx: Lexer): SearchExpression {
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
  return { kind: 'phrase', text: lx.text.slice(offset + 1, lx.pos - 1), offset, end: lx.pos };
}

function searchWord(lx: Lexer): SearchExpression {
  const offset = lx.pos;
  do {
    wordRule.lastIndex = lx.pos;
    if (wordRule.test(lx.text)) lx.pos = wordRule.lastIndex;
  } while (takesSemicolon(lx));
  if (lx.pos === offset) lx.fail('a search word');
  rejectUnencoded(lx, offset);
  return { kind: 'word', text: lx.text.slice(offset, lx.pos), offset, end: lx.pos };
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
