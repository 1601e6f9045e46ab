import type { ComputeItem } from './ast.ts';
import { failAtWord } from './fail-at-word.ts';
import { isSpace, type Lexer } from './lexer.ts';
import { parseExpression } from './parse-expression.ts';
import { parseItems } from './parse-items.ts';

/** The value of `$compute`: `expression as Name`, separated by commas. */
export function parseCompute(lx: Lexer): ComputeItem[] {
  return parseItems(lx, parseComputeItem);
}

function parseComputeItem(lx: Lexer): ComputeItem {
  const offset = lx.pos;
  const expression = parseExpression(lx);
  const after = lx.pos;
  lx.space();
  if (lx.pos === after || !lx.takeWord('as')) failAtWord(lx, ['as']);
  const word = lx.pos;
  lx.space();
  if (lx.pos === word) lx.fail('a space');
  const name = lx.identifier('the name of the computed property');
  if (isSpace(lx.peek())) lx.fail(['","', 'the end']);
  return { expression, name, offset, end: lx.pos };
}
