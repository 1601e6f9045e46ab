import type { Expression, NestedOptions } from './ast.ts';
import { didYouMean } from './did-you-mean.ts';
import { failAtWord } from './fail-at-word.ts';
import { isDigit, type Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { ODataError } from './odata-error.ts';
import { parseCompute } from './parse-compute.ts';
import { parseExpandItems } from './parse-expand.ts';
import { parseExpression } from './parse-expression.ts';
import { parseOrderbyItems } from './parse-orderby.ts';
import { parseSearchExpression } from './parse-search.ts';
import { parseSelectItems } from './parse-select.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Options that take a value of their own grammar, at the top and nested alike. */
export type NestedName = Exclude<keyof NestedOptions, 'aliases'>;

const noAliases: ReadonlyMap<string, Expression> = new Map();

export const emptyNestedOptions = (): Mutable<NestedOptions> => ({
  filter: undefined,
  search: undefined,
  orderby: undefined,
  select: undefined,
  expand: undefined,
  compute: undefined,
  top: undefined,
  skip: undefined,
  count: undefined,
  levels: undefined,
  aliases: noAliases,
});

/** What may stand in the parentheses after each kind of item (ABNF: expandOption, expandRefOption, …). */
export const countOptions = ['$filter', '$search'] as const;
export const refOptions = [...countOptions, '$orderby', '$skip', '$top', '$count'] as const;
export const expandOptions = [...refOptions, '$select', '$expand', '$compute', '$levels', '@'] as const;
export const selectOptions = [...refOptions, '$select', '$compute', '@'] as const;

/** `alias` is its name where the option is `@name=…`, else undefined. */
interface NestedOption {
  readonly name: NestedName;
  readonly alias: string | undefined;
  readonly value: unknown;
}

/** `( option *( SEMI option ) )`; the lexer stands at the parenthesis. */
export function parseNestedOptions(lx: Lexer, allowed: readonly string[]): NestedOptions {
  const options = emptyNestedOptions();
  lx.enter();
  lx.expect('(');
  do {
    const offset = lx.pos;
    const option = parseNestedOption(lx, allowed);
    if (option.alias !== undefined) addAlias(options, option.alias, option.value as Expression, offset);
    else setOption(options, option.name, option.value, offset);
  } while (lx.take(';'));
  if (!lx.take(')')) failAtWord(lx, ['";"', '")"']);
  lx.leave();
  return options;
}

/** One option with its value; the `$` may be missing and case does not matter (4.01). */
export function parseNestedOption(lx: Lexer, allowed: readonly string[]): NestedOption {
  const offset = lx.pos;
  if (allowed.includes('@') && lx.take('@')) {
    const alias = lx.identifier('the name of a parameter alias');
    lx.expect('=');
    return { name: 'filter', alias, value: parseExpression(lx) };
  }
  lx.take('$');
  const end = lx.identifierEnd(lx.pos);
  const name = lx.text.slice(lx.pos, end).toLowerCase() as NestedName;
  lx.pos = offset;
  if (!allowed.includes(`$${name}`)) failAtName(lx, name, allowed);
  lx.pos = end;
  lx.expect('=');
  return { name, alias: undefined, value: parseOptionValue(lx, name) };
}

function failAtName(lx: Lexer, name: string, allowed: readonly string[]): never {
  const expected = allowed.map((option) => (option === '@' ? '@alias' : option));
  const meant = name === '' ? undefined : didYouMean(`$${name}`, allowed);
  if (meant === undefined) return lx.fail(expected);
  const message = `There is no option ${name} here, at offset ${lx.pos}: did you mean ${meant}?`;
  throw new ODataError('syntax', message, { offset: lx.pos, expected, didYouMean: meant });
}

export function setOption(options: Mutable<NestedOptions>, name: NestedName, value: unknown, offset: number): void {
  if (options[name] !== undefined) {
    throw new ODataError('duplicate_option', `$${name} is given twice.`, { offset, option: `$${name}` });
  }
  (options as Record<NestedName, unknown>)[name] = value;
}

export function addAlias(options: Mutable<NestedOptions>, alias: string, value: Expression, offset: number): void {
  if (options.aliases.has(alias)) {
    throw new ODataError('duplicate_option', `@${alias} is given twice.`, { offset, option: `@${alias}` });
  }
  if (options.aliases === noAliases) options.aliases = new Map();
  (options.aliases as Map<string, Expression>).set(alias, value);
}

export function parseOptionValue(lx: Lexer, name: NestedName): unknown {
  switch (name) {
    case 'filter':
      return parseExpression(lx);
    case 'search':
      return parseSearchExpression(lx);
    case 'orderby':
      return parseOrderbyItems(lx);
    case 'select':
      return parseSelectItems(lx);
    case 'expand':
      return parseExpandItems(lx);
    case 'compute':
      return parseCompute(lx);
    case 'count':
      return lx.takeWord('true') || (lx.takeWord('false') ? false : lx.fail(['true', 'false']));
    case 'levels':
      return parseLevels(lx);
    case 'top': {
      const offset = lx.pos;
      const top = parseWholeNumber(lx);
      if (top > lx.limits.topMax) throw limitError('topMax', lx.limits.topMax, offset);
      return top;
    }
    case 'skip':
      return parseWholeNumber(lx);
  }
}

/** 1*DIGIT. Numbers past the safe integers are clamped to them: no collection is so long. */
export function parseWholeNumber(lx: Lexer): number {
  const offset = lx.pos;
  while (isDigit(lx.peek())) lx.pos++;
  if (lx.pos === offset) lx.fail('a whole number, zero or more');
  return Math.min(Number(lx.text.slice(offset, lx.pos)), Number.MAX_SAFE_INTEGER);
}

function parseLevels(lx: Lexer): number | 'max' {
  if (lx.takeWord('max')) return 'max';
  if (lx.peek() === 48) lx.fail(['a whole number above zero', 'max']);
  return parseWholeNumber(lx);
}
