import type { Lexer } from './lexer.ts';

const number = '[+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|INF)|NaN';
const positionRule = new RegExp(`(?:${number})(?: (?:${number})){1,3}`, 'iy');
const sridRule = /SRID=\d{1,5};/iy;
const shapeRule = /GeometryCollection|LineString|MultiLineString|MultiPoint|MultiPolygon|Point|Polygon/iy;

/** Returns the index after the well-known text of a geo literal, such as `SRID=0;Point(1 2)`. */
export function parseGeo(lx: Lexer, from: number): number {
  return shape(lx, match(lx, sridRule, from, 'SRID=…;'));
}

function match(lx: Lexer, rule: RegExp, from: number, expected: string): number {
  rule.lastIndex = from;
  return rule.test(lx.text) ? rule.lastIndex : lx.fail(expected, from);
}

function shape(lx: Lexer, from: number): number {
  const at = match(lx, shapeRule, from, 'a shape such as Point');
  switch (lx.text.slice(from, at).toLowerCase()) {
    case 'point':
      return point(lx, at);
    case 'linestring':
      return line(lx, at);
    case 'polygon':
      return polygon(lx, at);
    case 'multipoint':
      return list(lx, at, point, 0);
    case 'multilinestring':
      return list(lx, at, line, 0);
    case 'multipolygon':
      return list(lx, at, polygon, 0);
    default:
      return nested(lx, at);
  }
}

function nested(lx: Lexer, at: number): number {
  lx.enter();
  const end = list(lx, at, shape, 1);
  lx.leave();
  return end;
}

/** Returns the index after OPEN [ item *( COMMA item ) ] CLOSE with at least `itemsMin` items. */
function list(lx: Lexer, from: number, item: (lx: Lexer, at: number) => number, itemsMin: number): number {
  if (lx.text[from] !== '(') lx.fail('"("', from);
  let at = from + 1;
  if (itemsMin === 0 && lx.text[at] === ')') return at + 1;
  for (let count = 1; ; count++) {
    at = item(lx, at);
    if (lx.text[at] === ',') at++;
    else if (lx.text[at] === ')' && count >= itemsMin) return at + 1;
    else lx.fail(count < itemsMin ? '","' : ['","', '")"'], at);
  }
}

const position = (lx: Lexer, at: number): number => match(lx, positionRule, at, 'a position such as 1.5 2');
const line = (lx: Lexer, at: number): number => list(lx, at, position, 2);
const ring = (lx: Lexer, at: number): number => list(lx, at, position, 1);
const polygon = (lx: Lexer, at: number): number => list(lx, at, ring, 1);

function point(lx: Lexer, from: number): number {
  if (lx.text[from] !== '(') lx.fail('"("', from);
  const at = position(lx, from + 1);
  return lx.text[at] === ')' ? at + 1 : lx.fail('")"', at);
}
