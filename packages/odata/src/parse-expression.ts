import type { BinaryExpression, Expression, InExpression, Literal } from './ast.ts';
import { isLetter, isSpace, type Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { parseLiteral } from './parse-literal.ts';
import { parseOperand } from './parse-operand.ts';
import { missingQuotesHint, wordAt } from './syntax-hints.ts';
import { precedence } from './vocabulary.ts';

/** Parses a commonExpr, up to the first text that cannot continue it. */
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

/** Takes RWS operator RWS if the operator binds at least as tightly as `precedenceMin`. Otherwise takes nothing. */
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

/** Parses the right side of `in`: ( listExpr / commonExpr ). */
function parseIn(lx: Lexer, left: Expression): InExpression {
  const list = lx.peek() === 40 ? parseList(lx) : undefined;
  const collection = list === undefined ? parseExpression(lx, precedence.get('in')! + 1) : undefined;
  return { kind: 'in', left, list, collection, offset: left.offset, end: lx.pos };
}

/**
 * Parses a listExpr, literals in parentheses. Returns undefined, and takes nothing, for an expression in parentheses.
 */
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
      if (items.length > 0) {
        const word = wordAt(lx.text, at);
        if (item === undefined) lx.fail('a literal', at, word === '' ? '' : missingQuotesHint(word));
        lx.fail(['","', '")"'], at);
      }
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
