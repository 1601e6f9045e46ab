import { defaultLimits, ODataError, parseQueryOptions } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { parseExpression } from '../src/parse-expression.ts';
import { parseLiteral } from '../src/parse-literal.ts';

/**
 * The rule odataRelativeUri of the OASIS cases. Resource paths are no part of this library: this recogniser is here so
 * that the cases that put query options behind a path can be run, the options by the library's own parser.
 */
export function parseRelativeUri(input: string): void {
  const hash = input.indexOf('#');
  const uri = hash < 0 ? input : input.slice(0, hash);
  const mark = uri.indexOf('?');
  const path = mark < 0 ? uri : uri.slice(0, mark);
  const query = mark < 0 ? '' : uri.slice(mark + 1);
  // An encoded slash does not separate segments.
  const lx = new Lexer(decodeURIComponent(path.replaceAll(/%2f/gi, '%E2%88%95')), defaultLimits, true);
  const service = takeWord(lx, ['$batch', '$metadata', '$entity']);
  if (hash >= 0 && service !== '$metadata') throw failure(hash);
  if (service === undefined) resourcePath(lx);
  else if (service === '$entity' && lx.take('/')) lx.qualifiedName();
  if (!lx.atEnd()) lx.fail('"/"');
  if (query !== '') queryOptions(query, mark + 1, service);
  else if (service === '$entity') throw failure(uri.length);
  if (hash >= 0 && !/^[\w$.'(),/+*@=:;%# -]+$/.test(input.slice(hash + 1))) throw failure(hash + 1);
}

const failure = (offset: number): ODataError => new ODataError('syntax', 'Not of the rule.', { offset });

function queryOptions(query: string, start: number, service: string | undefined): void {
  const options = parseQueryOptions(query, { strict: true });
  if (service === undefined) return;
  const allowed = service === '$entity' ? /^(\$?(id|format|select|expand)$|[^$@])/i : /^(\$?format$|[^$@])/i;
  let at = start;
  for (const option of query.split('&')) {
    if (!allowed.test(decodeURIComponent(option.split('=')[0] ?? ''))) throw failure(at);
    at += option.length + 1;
  }
  if (service === '$entity' && options.id === undefined) throw failure(start + query.length);
}

function takeWord(lx: Lexer, words: readonly string[]): string | undefined {
  const word = words.find(
    (one) => lx.text.startsWith(one, lx.pos) && lx.identifierEnd(lx.pos + one.length) === lx.pos + one.length,
  );
  if (word !== undefined) lx.pos += word.length;
  return word;
}

/** Names of the OASIS cases whose kind decides; any other name can be anything. */
const functionImports = new Set(['TheBestProduct', 'TheMostPopularAddresses', 'TheMostPopularName', 'ProductsByColor']);
const valueless = new Set(['Address', 'Thumbnail']);
const casts = /^(Model\.)?(BestSellingProduct|AddressWithLocation)$/;

function resourcePath(lx: Lexer): void {
  if (takeWord(lx, ['$all']) !== undefined) {
    if (lx.take('/')) lx.qualifiedName();
    return;
  }
  let last: string;
  if (takeWord(lx, ['$crossjoin']) !== undefined) {
    crossjoin(lx);
    last = '$crossjoin';
  } else {
    last = lx.identifier('the name of an entity set');
    parentheses(lx);
  }
  while (lx.take('/')) last = segment(lx, last);
}

function crossjoin(lx: Lexer): void {
  lx.expect('(');
  do lx.identifier();
  while (lx.take(','));
  lx.expect(')');
}

const final = new Set(['$count', '$ref', '$value', '$query']);

function segment(lx: Lexer, before: string): string {
  if (final.has(before)) lx.fail('the end', lx.pos - 1);
  if (lx.peek() === 36) {
    if (lx.text.startsWith('$value', lx.pos) && valueless.has(before)) lx.fail('a property');
    const word = takeWord(lx, ['$count', '$ref', '$value', '$each', '$query', '$filter']) ?? lx.fail('a segment');
    if (word === '$filter') {
      lx.expect('(');
      parseExpression(lx);
      lx.expect(')');
      parentheses(lx);
    }
    return word;
  }
  const start = lx.pos;
  if (lx.identifierEnd(start) === start) return keySegment(lx);
  const name = lx.qualifiedName();
  if (casts.test(name) && casts.test(before)) lx.fail('a property');
  if (functionImports.has(name)) throw failure(lx.text.length);
  parentheses(lx);
  return /[^/]/.test(lx.text[lx.pos] ?? '/') ? keySegment(lx) : name;
}

/** keyPathLiteral: any characters of a path segment. */
function keySegment(lx: Lexer): string {
  const end = lx.text.indexOf('/', lx.pos);
  lx.pos = end < 0 ? lx.text.length : end;
  return '';
}

/** Keys and parameters, which may follow each other: `ByCategory(id=2)(2)`. */
function parentheses(lx: Lexer): void {
  while (lx.take('(')) {
    lx.space();
    if (lx.take(')')) continue;
    let named = true;
    do {
      if (!named) lx.fail('")"', lx.pos - 1);
      lx.space();
      const name = lx.identifierEnd(lx.pos);
      named = lx.text[name] === '=';
      if (named) lx.pos = name + 1;
      if (lx.take('@')) lx.identifier();
      else value(lx);
      lx.space();
    } while (lx.take(','));
    lx.expect(')');
  }
}

function value(lx: Lexer): void {
  const start = lx.pos;
  const slash = lx.text.indexOf('/', start);
  const literal = parseLiteral(lx) ?? lx.fail('a value');
  if (slash >= 0 && slash < literal.end) lx.fail('a character of a path segment', slash);
}
