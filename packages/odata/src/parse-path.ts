import type {
  CountSegment,
  Expression,
  LambdaSegment,
  ObjectExpression,
  PathExpression,
  PathRoot,
  PathSegment,
  SearchText,
} from './ast.ts';
import { isDigit, type Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { guidLiteral, parseLiteral } from './parse-literal.ts';
import { countOptions, parseAnnotation, parseNestedOption } from './parse-options.ts';
import { failAtWord } from './syntax-hints.ts';
import { nearFunction, unknownFunction } from './vocabulary.ts';

/** Parses a firstMemberExpr, rootExpr or functionExpr. */
export function parsePath(lx: Lexer): PathExpression {
  const offset = lx.pos;
  const segments: PathSegment[] = [];
  let root: PathRoot = 'member';
  let alias: string | undefined;
  const code = lx.peek();
  if (code === 36) root = parseVariable(lx);
  else if (code === 64 && !isAnnotation(lx)) {
    lx.pos++;
    root = 'alias';
    alias = lx.identifier('the name of a parameter alias');
  } else parseSegment(lx, segments, true);
  parseTrailingKey(lx, segments);
  while (lx.peek() === 47) {
    lx.pos++;
    parseSegment(lx, segments, root === '$root' && segments.length === 0);
    parseTrailingKey(lx, segments);
  }
  // A type must be followed by a member, and a function by parentheses.
  const isType = segments.every((segment) => segment.kind === 'name' && segment.name.includes('.'));
  if (root === 'member' && isType) lx.fail(['"/"', '"("']);
  return { kind: 'path', root, alias, segments, offset, end: lx.pos };
}

/** Parses the keyPredicate after a function or `/$filter(…)`: `Products()(1)`, `Products()(ID=1)`. */
function parseTrailingKey(lx: Lexer, segments: PathSegment[]): void {
  if (lx.peek() !== 40) return;
  const before = segments.at(-1)?.kind;
  if (before !== 'function' && before !== 'filter') return;
  const offset = lx.pos;
  lx.enter();
  lx.node();
  lx.pos++;
  const named = lx.text.charCodeAt(lx.identifierEnd(lx.pos)) === 61;
  const value = named ? parseCompoundKey(lx) : (parseKey(lx) ?? lx.fail('a key'));
  if (!lx.take(')')) lx.fail(named ? ['","', '")"'] : '")"');
  lx.leave();
  segments.push({ kind: 'key', value, offset, end: lx.pos });
}

function parseCompoundKey(lx: Lexer): ObjectExpression {
  const offset = lx.pos;
  const members: { name: string; value: Expression }[] = [];
  do {
    const name = lx.identifier('the name of a key property');
    lx.expect('=');
    members.push({ name, value: parseKey(lx) ?? lx.fail('a key') });
  } while (lx.take(','));
  return { kind: 'object', members, offset, end: lx.pos };
}

/** Parses `$it`, `$this` or `$root/…`. They are case-sensitive. */
function parseVariable(lx: Lexer): PathRoot {
  const end = lx.identifierEnd(lx.pos + 1);
  const word = lx.text.slice(lx.pos, end);
  if (word === '$it' || word === '$this') {
    lx.pos = end;
    return word;
  }
  if (word !== '$root') lx.fail(['$it', '$this', '$root/']);
  if (lx.text.charCodeAt(end) !== 47) lx.fail('"/"', end);
  lx.pos = end;
  return word;
}

/** Returns whether `@` starts an annotation. An annotation has a namespace or a qualifier, an alias has neither. */
function isAnnotation(lx: Lexer): boolean {
  const end = lx.identifierEnd(lx.pos + 1);
  const next = lx.text.charCodeAt(end);
  return next === 46 || next === 35;
}

function parseSegment(lx: Lexer, segments: PathSegment[], first: boolean): void {
  lx.node();
  const offset = lx.pos;
  const code = lx.peek();
  if (code === 36) {
    parseDollarSegment(lx, segments, first);
    return;
  }
  if (code === 64) {
    segments.push(parseAnnotation(lx));
    return;
  }
  if (!first) {
    const value =
      isDigit(code) || code === 45 || code === 39 ? (parseLiteral(lx) ?? lx.fail('a key')) : guidLiteral(lx);
    if (value !== undefined) {
      segments.push({ kind: 'key', value, offset, end: lx.pos });
      return;
    }
  }
  const name = lx.qualifiedName(first ? 'an expression' : 'a name');
  if (lx.peek() !== 40) {
    segments.push({ kind: 'name', name, offset, end: lx.pos });
    return;
  }
  const lower = name.length === 3 ? name.toLowerCase() : name;
  if (lower === 'any' || lower === 'all') {
    if (first) lx.fail(['"/"', 'an operator']);
    segments.push(parseLambda(lx, lower, offset));
    return;
  }
  parseParenthesised(lx, name, offset, segments);
}

/** Parses the parentheses after a name: parameters of a custom function, or a key. */
function parseParenthesised(lx: Lexer, name: string, offset: number, segments: PathSegment[]): void {
  const open = lx.pos;
  lx.enter();
  lx.pos++;
  lx.space();
  const parameters: { name: string; value: Expression }[] = [];
  if (!lx.take(')')) {
    if (lx.text.charCodeAt(lx.identifierEnd(lx.pos)) !== 61) {
      lx.pos = open + 1;
      const key = parseKey(lx) ?? notParameters(lx, name, offset);
      segments.push({ kind: 'name', name, offset, end: open });
      if (!lx.take(')')) lx.fail('")"');
      segments.push({ kind: 'key', value: key, offset: open, end: lx.pos });
      lx.leave();
      return;
    }
    do {
      lx.space();
      const parameter = lx.identifier('the name of a parameter');
      lx.expect('=');
      parameters.push({ name: parameter, value: lx.expression() });
      lx.space();
    } while (lx.take(','));
    if (!lx.take(')')) lx.fail(['","', '")"']);
  }
  lx.leave();
  segments.push({ kind: 'function', name, parameters, offset, end: lx.pos });
}

/** Parses a simpleKey without its parentheses: a literal or an alias. */
function parseKey(lx: Lexer): Expression | undefined {
  const offset = lx.pos;
  if (lx.peek() !== 64) return parseLiteral(lx);
  lx.pos++;
  const alias = lx.identifier('the name of a parameter alias');
  return { kind: 'path', root: 'alias', alias, segments: [], offset, end: lx.pos };
}

/** Rejects parentheses with neither a key nor named parameters. `lenght(Name)` is reported as an unknown function. */
function notParameters(lx: Lexer, name: string, offset: number): never {
  if (nearFunction(name) === undefined) return lx.fail(['a key', 'a parameter such as name=value']);
  return unknownFunction(name, offset);
}

/** Parses `$count`, with its options, or `$filter(…)`. */
function parseDollarSegment(lx: Lexer, segments: PathSegment[], first: boolean): void {
  const offset = lx.pos;
  const end = lx.identifierEnd(offset + 1);
  const word = lx.text.slice(offset, end);
  if (!first && word === '$filter' && lx.text.charCodeAt(end) === 40) {
    lx.enter();
    lx.pos = end + 1;
    const predicate = lx.expression();
    lx.expect(')');
    lx.leave();
    segments.push({ kind: 'filter', predicate, offset, end: lx.pos });
    return;
  }
  if (first || word !== '$count') lx.fail(['a name', '$count', '$filter']);
  lx.pos = end;
  segments.push(parseCount(lx, offset));
  if (lx.peek() === 47) lx.fail(['an operator', 'the end']);
}

function parseCount(lx: Lexer, offset: number): CountSegment {
  let filter: CountSegment['filter'];
  let search: CountSegment['search'];
  if (lx.take('(')) {
    lx.enter();
    do {
      const option = parseNestedOption(lx, countOptions);
      if (option.name === 'filter') filter = option.value as Expression;
      else search = option.value as SearchText;
    } while (lx.take(';'));
    if (!lx.take(')')) lx.fail(['";"', '")"']);
    lx.leave();
  }
  return { kind: 'count', filter, search, offset, end: lx.pos };
}

/** Parses an anyExpr or allExpr. The lexer is at the parenthesis. */
function parseLambda(lx: Lexer, kind: 'any' | 'all', offset: number): LambdaSegment {
  if (++lx.lambdaDepth > lx.limits.lambdaDepthMax) {
    throw limitError('lambdaDepthMax', lx.limits.lambdaDepthMax, offset);
  }
  lx.enter();
  lx.pos++;
  lx.space();
  let variable: string | undefined;
  let predicate: Expression | undefined;
  if (kind === 'all' || lx.peek() !== 41) {
    variable = lx.identifier('a range variable');
    lx.space();
    lx.expect(':');
    lx.space();
    predicate = lx.expression();
    lx.space();
    if (lx.peek() !== 41) failAtWord(lx, ['")"']);
  }
  lx.expect(')');
  lx.leave();
  lx.lambdaDepth--;
  return { kind, variable, predicate, offset, end: lx.pos };
}
