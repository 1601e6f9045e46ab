import type { AnnotationSegment, ExpandItem, Expression, NameSegment, NestedOptions, SelectItem } from './ast.ts';
import { didYouMean } from './did-you-mean.ts';
import { isDigit, type Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { ODataError } from './odata-error.ts';
import { parseCompute, parseItems, parseOrderbyItems } from './parse-items.ts';
import { parseSearchText } from './parse-search.ts';
import { failAtWord } from './syntax-hints.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Options with a grammar of their own, at the top level and nested. */
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

// Options in the parentheses after each kind of item (ABNF: expandOption, expandRefOption, …).
export const countOptions = ['$filter', '$search'] as const;
const refOptions = [...countOptions, '$orderby', '$skip', '$top', '$count'] as const;
const expandOptions = [...refOptions, '$select', '$expand', '$compute', '$levels', '@'] as const;
const selectOptions = [...refOptions, '$select', '$compute', '@'] as const;

/** One nested option. `alias` is the name of the alias for `@name=…`, else undefined. */
interface NestedOption {
  readonly name: NestedName;
  readonly alias: string | undefined;
  readonly value: unknown;
}

/** Parses `( option *( SEMI option ) )`. The lexer is at the parenthesis. */
function parseNestedOptions(lx: Lexer, allowed: readonly string[]): NestedOptions {
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

/** Parses one option with its value. The `$` is optional and the name is case-insensitive (4.01). */
export function parseNestedOption(lx: Lexer, allowed: readonly string[]): NestedOption {
  const offset = lx.pos;
  if (allowed.includes('@') && lx.take('@')) {
    const alias = lx.identifier('the name of a parameter alias');
    lx.expect('=');
    return { name: 'filter', alias, value: lx.expression() };
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
  const message = `There is no option ${name} at offset ${lx.pos}: did you mean ${meant}?`;
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
      return lx.expression();
    case 'search':
      return parseSearchText(lx);
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

/** Parses 1*DIGIT. Numbers above the safe integers are clamped, because no collection is so long. */
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

/** Parses `$select`: `*`, `Name`, `Address/City`, `Address($select=City)`, `Model.*`, `Model.Rate(From,To)`. */
function parseSelectItems(lx: Lexer): SelectItem[] {
  return parseItems(lx, parseSelectItem);
}

function parseSelectItem(lx: Lexer): SelectItem {
  const offset = lx.pos;
  const path: (NameSegment | AnnotationSegment)[] = [];
  let parameters: string[] | undefined;
  let options: NestedOptions | undefined;
  lx.node();
  const star = lx.take('*');
  if (!star) {
    do path.push(parseNameOrAnnotation(lx));
    while (lx.take('/'));
    if (lx.peek() === 46 && lx.peek(1) === 42 && path.length === 1) {
      lx.pos += 2;
      return { path, star: true, parameters, options, offset, end: lx.pos };
    }
    if (lx.peek() === 40) {
      parameters = parseParameterNames(lx);
      if (parameters === undefined) options = parseNestedOptions(lx, selectOptions);
    }
  }
  return { path, star, parameters, options, offset, end: lx.pos };
}

/** Parses `(Location,Kind)`. Returns undefined, and takes nothing, for options in parentheses. */
function parseParameterNames(lx: Lexer): string[] | undefined {
  const start = lx.pos;
  const next = lx.text.charCodeAt(lx.identifierEnd(start + 1));
  if (next !== 44 && next !== 41) return undefined;
  const names: string[] = [];
  lx.pos++;
  do names.push(lx.identifier('the name of a parameter'));
  while (lx.take(','));
  lx.expect(')');
  return names;
}

/** Parses `$expand`: `Tags($filter=Name eq 'x';$top=5),Skillset/$ref,*`. */
function parseExpandItems(lx: Lexer): ExpandItem[] {
  if (++lx.expandDepth > lx.limits.expandDepthMax) {
    throw limitError('expandDepthMax', lx.limits.expandDepthMax, lx.pos);
  }
  const items = parseItems(lx, parseExpandItem);
  lx.expandDepth--;
  return items;
}

function parseExpandItem(lx: Lexer): ExpandItem {
  const offset = lx.pos;
  const path: (NameSegment | AnnotationSegment)[] = [];
  let star = false;
  let suffix: ExpandItem['suffix'];
  lx.node();
  // This word is case-insensitive, unlike the segments after a slash.
  if (lx.take('$')) {
    if (!lx.takeWord('value')) lx.fail(['a name', '*', '$value'], offset);
    suffix = '$value';
  } else {
    for (;;) {
      if (lx.take('*')) {
        star = true;
        if (takeSuffix(lx, '/$ref')) suffix = '$ref';
        break;
      }
      path.push(parseNameOrAnnotation(lx));
      if (lx.peek() !== 47) break;
      lx.pos++;
      if (lx.peek() === 36) {
        if (takeSuffix(lx, '$ref')) suffix = '$ref';
        else if (takeSuffix(lx, '$count')) suffix = '$count';
        else lx.fail(['a name', '*', '$ref', '$count']);
        break;
      }
    }
  }
  let options: NestedOptions | undefined;
  if (lx.peek() === 40 && suffix !== '$value' && !(star && suffix === '$ref')) {
    options = parseNestedOptions(lx, allowedOptions(star, suffix));
  }
  return { path, star, suffix, options, offset, end: lx.pos };
}

function allowedOptions(star: boolean, suffix: ExpandItem['suffix']): readonly string[] {
  if (star) return ['$levels'];
  if (suffix === '$count') return countOptions;
  return suffix === '$ref' ? refOptions : expandOptions;
}

function takeSuffix(lx: Lexer, word: string): boolean {
  const end = lx.pos + word.length;
  if (!lx.text.startsWith(word, lx.pos) || lx.identifierEnd(end - 1) > end) return false;
  lx.pos = end;
  return true;
}

/** Reads `@Namespace.Term#qualifier`. */
export function parseAnnotation(lx: Lexer): AnnotationSegment {
  const offset = lx.pos;
  lx.expect('@');
  const name = lx.qualifiedName('the name of an annotation');
  const qualifier = lx.take('#') ? lx.identifier('the qualifier of the annotation') : undefined;
  return { kind: 'annotation', name, qualifier, offset, end: lx.pos };
}

function parseNameOrAnnotation(lx: Lexer): NameSegment | AnnotationSegment {
  if (lx.peek() === 64) return parseAnnotation(lx);
  const offset = lx.pos;
  const name = lx.qualifiedName();
  return { kind: 'name', name, offset, end: lx.pos };
}
