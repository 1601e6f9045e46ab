import type { CaseExpression, CastExpression, Expression, Literal, TypeName } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { methods } from './vocabulary.ts';

/** Parses a methodCallExpr, castExpr or isofExpr. The lexer is at the name and `nameEnd` is the parenthesis. */
export function parseMethod(lx: Lexer, word: string, nameEnd: number): Expression {
  const offset = lx.pos;
  const name = word.toLowerCase();
  lx.enter();
  lx.pos = nameEnd + 1;
  lx.space();
  const call =
    name === 'case'
      ? parseCase(lx, offset)
      : name === 'cast' || name === 'isof'
        ? parseCast(lx, name, offset)
        : parseArguments(lx, name, offset);
  lx.leave();
  return call;
}

function parseArguments(lx: Lexer, name: string, offset: number): Expression {
  const [min, max] = methods.get(name)!;
  const args: Expression[] = [];
  while (args.length < max) {
    if (args.length > 0) {
      if (args.length >= min && lx.peek() === 41) break;
      lx.expect(',');
      lx.space();
    }
    args.push(lx.expression());
    lx.space();
  }
  lx.expect(')');
  return { kind: 'call', name, arguments: args, offset, end: lx.pos };
}

/** Parses case( condition : value , … ). */
function parseCase(lx: Lexer, offset: number): CaseExpression {
  const branches: { condition: Expression; value: Expression }[] = [];
  do {
    lx.space();
    const condition = lx.expression();
    const end = lx.pos;
    lx.space();
    if (lx.peek() !== 58) splitTime(lx, end);
    lx.expect(':');
    lx.space();
    branches.push({ condition, value: lx.expression() });
    lx.space();
  } while (lx.take(','));
  if (!lx.take(')')) lx.fail(['","', '")"']);
  return { kind: 'case', branches, offset, end: lx.pos };
}

/**
 * Returns the last part of a time of day to the text. In `case(Age gt 10:20)`, the longest match takes `10:20` as a
 * time.
 */
function splitTime(lx: Lexer, end: number): void {
  const time = lx.time as { -readonly [K in keyof Literal]: Literal[K] } | undefined;
  if (time?.end !== end || time.value.includes('.')) return;
  const colon = time.value.lastIndexOf(':');
  if (colon === 2) time.type = 'Edm.Int64';
  time.value = time.value.slice(0, colon);
  time.end = time.offset + colon;
  lx.pos = time.end;
}

/** Parses cast( [ expression , ] type ). A single argument is the type. */
function parseCast(lx: Lexer, kind: 'cast' | 'isof', offset: number): CastExpression {
  let operand: Expression | undefined;
  let type = parseCollectionType(lx) ?? parseLoneType(lx);
  if (type === undefined) {
    operand = lx.expression();
    lx.space();
    lx.expect(',');
    lx.space();
    type = parseCollectionType(lx) ?? parseTypeName(lx);
  }
  lx.space();
  lx.expect(')');
  return { kind, operand, type, offset, end: lx.pos };
}

/** Parses a type before the closing parenthesis. Returns undefined, and takes nothing, for an operand. */
function parseLoneType(lx: Lexer): TypeName | undefined {
  const start = lx.pos;
  if (lx.identifierEnd(start) === start) return undefined;
  const type = parseTypeName(lx);
  lx.space();
  if (lx.peek() === 41) return type;
  lx.pos = start;
  return undefined;
}

function parseTypeName(lx: Lexer): TypeName {
  const offset = lx.pos;
  const name = lx.qualifiedName('a type');
  return { name, collection: false, offset, end: lx.pos };
}

function parseCollectionType(lx: Lexer): TypeName | undefined {
  const offset = lx.pos;
  if (!lx.text.startsWith('Collection(', offset)) return undefined;
  lx.pos += 'Collection('.length;
  const name = lx.qualifiedName('a type');
  lx.expect(')');
  return { name, collection: true, offset, end: lx.pos };
}
