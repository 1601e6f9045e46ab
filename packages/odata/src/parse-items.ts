import type { ComputeItem, OrderbyItem } from './ast.ts';
import { isSpace, type Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { failAtWord } from './syntax-hints.ts';

/** Parses `item *( COMMA item )`, up to `itemsMax` items. */
export function parseItems<T>(lx: Lexer, parseItem: (lx: Lexer) => T): T[] {
  const items = [parseItem(lx)];
  while (lx.take(',')) {
    lx.listSpace();
    if (items.length >= lx.limits.itemsMax) throw limitError('itemsMax', lx.limits.itemsMax, lx.pos);
    items.push(parseItem(lx));
  }
  return items;
}

/** Parses `$orderby`: `Name desc,length(City)`. */
export function parseOrderbyItems(lx: Lexer): OrderbyItem[] {
  return parseItems(lx, parseOrderbyItem);
}

function parseOrderbyItem(lx: Lexer): OrderbyItem {
  const offset = lx.pos;
  const expression = lx.expression();
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

/** Parses `$compute`: `expression as Name`, separated by commas. */
export function parseCompute(lx: Lexer): ComputeItem[] {
  return parseItems(lx, parseComputeItem);
}

function parseComputeItem(lx: Lexer): ComputeItem {
  const offset = lx.pos;
  const expression = lx.expression();
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
