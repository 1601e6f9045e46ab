import type { OrderbyItem } from './ast.ts';
import { failAtWord } from './fail-at-word.ts';
import { isSpace, type Lexer } from './lexer.ts';
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
    if (!descending) failAtWord(lx, ['asc', 'desc']);
  }
  if (isSpace(lx.peek())) lx.fail(['","', 'the end']);
  return { expression, descending, offset, end: lx.pos };
}
