import type { Lexer } from './lexer.ts';
import { limitError } from './limits.ts';

/** `item *( COMMA item )`, bounded by `itemsMax`. */
export function parseItems<T>(lx: Lexer, parseItem: (lx: Lexer) => T): T[] {
  const items = [parseItem(lx)];
  while (lx.take(',')) {
    lx.listSpace();
    if (items.length >= lx.limits.itemsMax) throw limitError('itemsMax', lx.limits.itemsMax, lx.pos);
    items.push(parseItem(lx));
  }
  return items;
}
