import type { OrderbyItem } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { parseExpression } from './parse-expression.ts';
import { parseItems } from './parse-items.ts';

/** The value of `$orderby`: `Name desc,length(City)`. */
export function parseOrderbyItems(lx: Lexer): OrderbyItem[] {
  return parseItems(lx, parseOrderbyItem);
}

function parseOrderbyItem(lx: Lexer): OrderbyItem {
  const offset = lx.pos;
  const expression = parseExpression(lx);
  const after = lx.pos;
  lx.space();
  let descending = false;
  if (lx.pos > after && !lx.takeWord('asc')) {
    descending = lx.takeWord('desc');
    // Whatever else stands after the space is reported there.
    if (!descending) lx.fail(['an operator', 'asc', 'desc'], lx.atEnd() ? after : lx.pos);
  }
  return { expression, descending, offset, end: lx.pos };
}
