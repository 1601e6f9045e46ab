import type {
  ArithmeticOperator,
  BinaryExpression,
  ComparisonOperator,
  Expression,
  InExpression,
  Literal,
} from './ast.ts';
import { isDigit, isHex, isLetter, isSpace, type Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { parseArrayOrObject } from './parse-json.ts';
import {
  guidLiteral,
  keywordType,
  parseLiteral,
  parseNumberOrTime,
  parsePrefixed,
  parseString,
} from './parse-literal.ts';
import { isMethod, parseMethod } from './parse-method.ts';
import { parsePath } from './parse-path.ts';

type BinaryOperator = ComparisonOperator | ArithmeticOperator | 'has' | 'in' | 'and' | 'or';

// OData Part 2, 5.1.1.17: the higher binds the tighter; `not` and `-` stand between `has` and `mul`.
const precedence = new Map<string, number>(
  Object.entries({
    ...{ or: 1, and: 2, eq: 3, ne: 3, gt: 4, ge: 4, lt: 4, le: 4 },
    ...{ add: 5, sub: 5, mul: 6, div: 6, divby: 6, mod: 6, has: 8, in: 8 },
  } satisfies Record<BinaryOperator, number>),
);
const unaryPrecedence = 7;

export const isOperator = (word: string): boolean => precedence.has(word.toLowerCase());

/** commonExpr: a whole expression; it stops before whatever cannot continue it. */
export function parseExpression(lx: Lexer, precedenceMin = 1): Expression {
  let left = parseOperand(lx);
  let operands: Expression[] | undefined;
  let chained = 0;
  for (;;) {
    const operator = takeOperator(lx, precedenceMin);
    if (operator === undefined) break;
    lx.node();
    const binds = precedence.get(operator)!;
    if (operator === 'and' || operator === 'or') {
      const right = parseExpression(lx, binds + 1);
      if (operands !== undefined && left.kind === operator) {
        operands.push(right);
        (left as { end: number }).end = right.end;
      } else {
        operands = [left, right];
        left = { kind: operator, operands, offset: left.offset, end: right.end };
      }
      continue;
    }
    operands = undefined;
    chained++;
    lx.enter();
    left =
      operator === 'in'
        ? parseIn(lx, left)
        : operator === 'has'
          ? parseHas(lx, left)
          : binary(operator as BinaryExpression['operator'], left, parseExpression(lx, binds + 1));
  }
  lx.depth -= chained;
  return left;
}

function binary(operator: BinaryExpression['operator'], left: Expression, right: Expression): BinaryExpression {
  return { kind: 'binary', operator, left, right, offset: left.offset, end: right.end };
}

/** RWS operator RWS, when it binds at least so tightly; otherwise undefined and nothing is taken. */
function takeOperator(lx: Lexer, precedenceMin: number): string | undefined {
  const { text } = lx;
  let start = lx.pos;
  if (!isSpace(text.charCodeAt(start))) return undefined;
  do start++;
  while (isSpace(text.charCodeAt(start)));
  let end = start;
  while (isLetter(text.charCodeAt(end))) end++;
  if (!isSpace(text.charCodeAt(end))) return undefined;
  let word = text.slice(start, end);
  let binds = precedence.get(word);
  if (binds === undefined && word.length <= 5) {
    word = word.toLowerCase();
    binds = precedence.get(word);
  }
  if (binds === undefined || binds < precedenceMin) return undefined;
  do end++;
  while (isSpace(text.charCodeAt(end)));
  lx.pos = end;
  return word;
}

function parseHas(lx: Lexer, left: Expression): Expression {
  const at = lx.pos;
  const right = parseLiteral(lx);
  if (right === undefined || (right.type !== 'enum' && right.type !== 'Edm.String')) {
    return lx.fail("an enumeration value such as Namespace.Type'Member'", at);
  }
  return binary('has', left, right);
}

/** `in` ( listExpr / commonExpr ) */
function parseIn(lx: Lexer, left: Expression): InExpression {
  const list = lx.peek() === 40 ? parseList(lx) : undefined;
  const collection = list === undefined ? parseExpression(lx, precedence.get('in')! + 1) : undefined;
  return { kind: 'in', left, list, collection, offset: left.offset, end: lx.pos };
}

/** listExpr: literals in parentheses. Undefined, with nothing taken, where an expression stands in them. */
function parseList(lx: Lexer): Literal[] | undefined {
  const start = lx.pos;
  const items: Literal[] = [];
  lx.pos++;
  lx.space();
  if (lx.take(')')) return items;
  for (;;) {
    const item = parseLiteral(lx);
    const at = lx.pos;
    lx.space();
    const next = lx.peek();
    if (item === undefined || (next !== 44 && next !== 41)) {
      if (items.length > 0) lx.fail(item === undefined ? 'a literal' : ['","', '")"'], at);
      lx.pos = start;
      return undefined;
    }
    items.push(item);
    if (items.length > lx.limits.listItemsMax) throw limitError('listItemsMax', lx.limits.listItemsMax, at);
    lx.pos++;
    if (next === 41) return items;
    lx.space();
  }
}

function parseOperand(lx: Lexer): Expression {
  lx.node();
  const { text, pos } = lx;
  const code = text.charCodeAt(pos);
  if (isLetter(code) || code >= 128) return parseWord(lx, code);
  if (code === 39) return parseString(lx);
  if (isDigit(code)) return parseNumberOrTime(lx)!;
  switch (code) {
    case 40:
      return parseParentheses(lx);
    case 45:
      return parseNumberOrTime(lx) ?? parseNegation(lx);
    case 43:
      return parseNumberOrTime(lx) ?? lx.fail('a number after +', pos + 1);
    case 36:
    case 64:
      return parsePath(lx);
    case 91:
    case 123:
      return parseArrayOrObject(lx);
    case 32:
    case 9: {
      // The ABNF allows white space before a bracket only.
      lx.space();
      const next = lx.peek();
      if (next === 91 || next === 123) return parseArrayOrObject(lx);
    }
  }
  return lx.fail('an expression');
}

function parseParentheses(lx: Lexer): Expression {
  lx.enter();
  lx.pos++;
  lx.space();
  const inner = parseExpression(lx);
  lx.space();
  if (!lx.take(')')) lx.fail(['an operator', '")"']);
  lx.leave();
  return inner;
}

function parseNegation(lx: Lexer): Expression {
  const offset = lx.pos;
  lx.enter();
  lx.pos++;
  lx.space();
  const operand = parseExpression(lx, unaryPrecedence);
  lx.leave();
  return { kind: 'negate', operand, offset, end: operand.end };
}

/** Whatever begins with a letter: guid, keyword, prefixed literal, function, `not`, or a path. */
function parseWord(lx: Lexer, code: number): Expression {
  if (isHex(code)) {
    const guid = guidLiteral(lx);
    if (guid !== undefined) return guid;
  }
  const { text, pos } = lx;
  const end = lx.identifierEnd(pos);
  if (end === pos) lx.fail('an expression');
  const word = text.slice(pos, end);
  const next = text.charCodeAt(end);
  const type = next === 46 || next === 39 || next === 47 ? undefined : keywordType(word);
  if (type !== undefined) {
    lx.pos = end;
    return { kind: 'literal', type, value: word, enumType: undefined, offset: pos, end };
  }
  if (next === 40 && isMethod(word)) return parseMethod(lx, word, end);
  if (word.length === 3 && word.toLowerCase() === 'not' && isNegation(lx, end)) return parseNot(lx, end);
  if (next === 39 || next === 46) {
    const qualifiedEnd = qualifiedNameEnd(lx, end);
    const after = text.charCodeAt(qualifiedEnd);
    if (after === 39) {
      lx.pos = qualifiedEnd;
      return parsePrefixed(lx, text.slice(pos, qualifiedEnd), pos);
    }
    if (after === 40 && isMethod(text.slice(pos, qualifiedEnd))) {
      return parseMethod(lx, text.slice(pos, qualifiedEnd), qualifiedEnd);
    }
  }
  return parsePath(lx);
}

function qualifiedNameEnd(lx: Lexer, from: number): number {
  let end = from;
  while (lx.text.charCodeAt(end) === 46) {
    const next = lx.identifierEnd(end + 1);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

/** `not` is also a legal property name: it is one where an operator follows it, as in `not eq 1`. */
function isNegation(lx: Lexer, wordEnd: number): boolean {
  const { text } = lx;
  if (text.charCodeAt(wordEnd) === 40) return !lx.strict;
  if (!isSpace(text.charCodeAt(wordEnd))) return false;
  let at = wordEnd + 1;
  while (isSpace(text.charCodeAt(at))) at++;
  if (at >= text.length) return false;
  let end = at;
  while (isLetter(text.charCodeAt(end))) end++;
  if (end === at) return text.charCodeAt(at) !== 41;
  const word = text.slice(at, end).toLowerCase();
  if (word === 'asc' || word === 'desc' || word === 'as') return isSpace(text.charCodeAt(end));
  return !(precedence.has(word) && isSpace(text.charCodeAt(end)));
}

function parseNot(lx: Lexer, wordEnd: number): Expression {
  const offset = lx.pos;
  lx.enter();
  lx.pos = wordEnd;
  lx.space();
  const operand = parseExpression(lx, unaryPrecedence);
  lx.leave();
  return { kind: 'not', operand, offset, end: operand.end };
}
