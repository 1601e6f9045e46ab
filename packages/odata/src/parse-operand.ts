import type { Expression } from './ast.ts';
import { isDigit, isHex, isLetter, isSpace, type Lexer } from './lexer.ts';
import { parseArrayOrObject } from './parse-json.ts';
import { guidLiteral, keywordType, parseNumberOrTime, parsePrefixed, parseString } from './parse-literal.ts';
import { parseMethod } from './parse-method.ts';
import { parsePath } from './parse-path.ts';
import { failAtWord } from './syntax-hints.ts';
import { isMethod, isOperator, unaryPrecedence } from './vocabulary.ts';

/** Parses an operand. Its first character selects the rule. */
export function parseOperand(lx: Lexer): Expression {
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
    case 34:
      return lx.fail('a string in single quotes');
    case 32:
    case 9: {
      // The ABNF allows white space before brackets only.
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
  const inner = lx.expression();
  lx.space();
  if (!lx.take(')')) failAtWord(lx, ['")"']);
  lx.leave();
  return inner;
}

function parseNegation(lx: Lexer): Expression {
  const offset = lx.pos;
  lx.enter();
  lx.pos++;
  lx.space();
  const operand = lx.expression(unaryPrecedence);
  lx.leave();
  return { kind: 'negate', operand, offset, end: operand.end };
}

/** Parses an operand that starts with a letter: a guid, keyword, prefixed literal, function, `not`, or path. */
function parseWord(lx: Lexer, code: number): Expression {
  if (isHex(code)) {
    const guid = guidLiteral(lx);
    if (guid !== undefined) return guid;
  }
  const { text, pos } = lx;
  const end = lx.identifierEnd(pos);
  if (end === pos)
    lx.fail(/[\u2018-\u201d]/.test(text[pos] as string) ? "a string in single quotes '" : 'an expression');
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

/** Returns whether `not` is the operator. Before an operator, as in `not eq 1`, it is a property name. */
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
  return !(isOperator(word) && isSpace(text.charCodeAt(end)));
}

function parseNot(lx: Lexer, wordEnd: number): Expression {
  const offset = lx.pos;
  lx.enter();
  lx.pos = wordEnd;
  lx.space();
  const operand = lx.expression(unaryPrecedence);
  lx.leave();
  return { kind: 'not', operand, offset, end: operand.end };
}
