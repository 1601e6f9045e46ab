import type { ComputeItem } from './ast.ts';
import type { Lexer } from './lexer.ts';
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
  if (lx.pos === after || !lx.takeWord('as')) lx.fail(['an operator', 'as'], after);
  const word = lx.pos;
  lx.space();
  if (lx.pos === word) lx.fail('a space');
  const name = lx.identifier('the name of the computed property');
  return { expression, name, offset, end: lx.pos };
}
