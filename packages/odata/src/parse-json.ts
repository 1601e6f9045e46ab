import type { ArrayExpression, Expression, ObjectExpression } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { limitError } from './limits.ts';

const stringRule = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/uy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ABNF allows control characters that JSON escapes
const controls = /[\0-\x1f]/g;
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Parses an arrayOrObject, JSON whose values can be expressions. The lexer is at the bracket. */
export function parseArrayOrObject(lx: Lexer): ArrayExpression | ObjectExpression {
  const offset = lx.pos;
  const array = lx.peek() === 91;
  const close = array ? ']' : '}';
  const items: Expression[] = [];
  const members: { name: string; value: Expression }[] = [];
  lx.enter();
  lx.node();
  lx.pos++;
  lx.space();
  if (!lx.take(close)) {
    for (let count = 1; ; count++) {
      if (count > lx.limits.listItemsMax) throw limitError('listItemsMax', lx.limits.listItemsMax, lx.pos);
      if (array) items.push(value(lx));
      else members.push(member(lx));
      lx.space();
      if (lx.take(close)) break;
      if (!lx.take(',')) lx.fail(['","', `"${close}"`]);
      lx.space();
    }
  }
  lx.leave();
  const end = lx.pos;
  return array ? { kind: 'array', items, offset, end } : { kind: 'object', members, offset, end };
}

function member(lx: Lexer): { name: string; value: Expression } {
  const name = jsonString(lx);
  lx.space();
  lx.expect(':');
  lx.space();
  return { name, value: value(lx) };
}

function value(lx: Lexer): Expression {
  if (lx.peek() !== 34) return lx.expression();
  const offset = lx.pos;
  return {
    kind: 'literal',
    type: 'Edm.String',
    value: jsonString(lx),
    enumType: undefined,
    offset,
    end: lx.pos,
  };
}

function jsonString(lx: Lexer): string {
  stringRule.lastIndex = lx.pos;
  if (!stringRule.test(lx.text)) lx.fail('a string in double quotes');
  const text = lx.text.slice(lx.pos, stringRule.lastIndex);
  lx.pos = stringRule.lastIndex;
  return JSON.parse(text.replace(controls, escaped)) as string;
}
