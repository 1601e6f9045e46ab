import type { QueryOptions } from './ast.ts';
import { didYouMean } from './did-you-mean.ts';
import { Lexer } from './lexer.ts';
import { defaultLimits, type Limits, limitError } from './limits.ts';
import { ODataError, type ODataErrorCode } from './odata-error.ts';
import { parseExpression } from './parse-expression.ts';
import {
  addAlias,
  emptyNestedOptions,
  type Mutable,
  type NestedName,
  parseOptionValue,
  parseWholeNumber,
  setOption,
} from './parse-options.ts';
import { furthestMatch } from './pattern.ts';
import { failAtWord } from './syntax-hints.ts';

/** Settings of the parser. */
export interface ParseSettings {
  /** Limits. Absent limits are those of `defaultLimits`. */
  readonly limits?: Partial<Limits> | undefined;
  /** Reads `filter` as `$filter`, as 4.01 allows. Default true. Set it to false if custom options have such names. */
  readonly dollarOptional?: boolean | undefined;
  /** Rejects everything that the ABNF does not allow. The README lists the extensions. */
  readonly strict?: boolean | undefined;
}

const treeOptions = ['filter', 'search', 'orderby', 'select', 'expand', 'compute', 'top', 'skip', 'count'] as const;
const textOptions = ['format', 'skiptoken', 'deltatoken', 'id', 'index', 'schemaversion', 'apply'] as const;
/** Options whose `$` is required. */
const dollarOnly = new Set(['skiptoken', 'deltatoken', 'apply']);
const known = new Set<string>([...treeOptions, ...textOptions]);
const isTreeOption = (name: string): name is NestedName => (treeOptions as readonly string[]).includes(name);

/**
 * Parses the undecoded query of a URL (without `?`).
 * Throws `ODataError` with the option and the offset of a fault.
 *
 * @see OData 4.01 Part 2, section 5; OData ABNF, rule queryOptions
 */
export function parseQueryOptions(query: string | URLSearchParams, settings: ParseSettings = {}): QueryOptions {
  const limits = settings.limits === undefined ? defaultLimits : { ...defaultLimits, ...settings.limits };
  const strict = settings.strict ?? false;
  if (typeof query === 'string' && query.length > limits.lengthMax) {
    throw limitError('lengthMax', limits.lengthMax, limits.lengthMax);
  }
  const options: Mutable<QueryOptions> = {
    ...emptyNestedOptions(),
    format: undefined,
    skiptoken: undefined,
    deltatoken: undefined,
    id: undefined,
    index: undefined,
    schemaversion: undefined,
    apply: undefined,
    custom: [],
  };
  const custom: (readonly [string, string])[] = [];
  let nodes = 0;
  for (const raw of splitQuery(query, strict)) {
    const systemName = systemOptionName(raw, settings.dollarOptional ?? true);
    try {
      if (systemName === undefined && !raw.name.startsWith('@')) {
        custom.push([raw.name, raw.value ?? '']);
        continue;
      }
      if (raw.value === undefined) {
        throw new ODataError('syntax', `Expected "=" after ${raw.name}.`, { offset: 0, expected: ['"="'] });
      }
      const lx = new Lexer(raw.value, limits, parseExpression, strict);
      lx.nodes = nodes;
      lx.isEncoded = raw.isEncoded;
      if (systemName === undefined) addAlias(options, aliasName(raw), parseExpression(lx), 0);
      else if (isTreeOption(systemName)) setOption(options, systemName, parseOptionValue(lx, systemName), 0);
      else setText(options, systemName, lx);
      if (!lx.atEnd()) failAtRest(lx, systemName ?? '@');
      nodes = lx.nodes;
    } catch (error) {
      if (error instanceof ODataError) {
        error.option = raw.name;
        error.queryOffset ??= raw.value === undefined ? raw.nameEnd : raw.queryOffset(error.offset);
      }
      throw error;
    }
  }
  options.custom = custom;
  return options;
}

/** Returns `filter` for `$filter`, `%24FILTER` and `filter`, and undefined for custom options and aliases. */
function systemOptionName(raw: RawOption, dollarOptional: boolean): string | undefined {
  const { name } = raw;
  const dollar = name.startsWith('$');
  if (!dollar && !dollarOptional) return undefined;
  const bare = (dollar ? name.slice(1) : name).toLowerCase();
  if (known.has(bare) && (dollar || !dollarOnly.has(bare))) return bare;
  if (!dollar) return undefined;
  const suggestion = didYouMean(bare, known);
  const hint = suggestion === undefined ? '.' : `: did you mean $${suggestion}?`;
  const error = new ODataError('unknown_option', `There is no system query option ${name}${hint}`, {
    offset: 0,
    option: name,
    didYouMean: suggestion === undefined ? undefined : `$${suggestion}`,
  });
  error.queryOffset = raw.nameStart;
  throw error;
}

function aliasName(raw: RawOption): string {
  const name = raw.name.slice(1);
  if (name === '' || new Lexer(name, defaultLimits, parseExpression).identifierEnd(0) !== name.length) {
    const error = new ODataError('syntax', `${raw.name} is not a parameter alias: a name must follow the @.`, {
      offset: 0,
    });
    error.queryOffset = raw.nameStart + 1;
    throw error;
  }
  return name;
}

const format = /^(?:[Aa][Tt][Oo][Mm]|[Jj][Ss][Oo][Nn]|[Xx][Mm][Ll]|[^\s/?#]+\/[^\s/?#]+)$/;
const schemaversion = /^(?:\*|[A-Za-z0-9._~-]+)$/;

function setText(options: Mutable<QueryOptions>, name: string, lx: Lexer): void {
  const key = name as (typeof textOptions)[number];
  if (options[key] !== undefined) {
    throw new ODataError('duplicate_option', `$${name} is given twice.`, { offset: 0, option: `$${name}` });
  }
  if (key === 'index') {
    const sign = lx.take('-') ? -1 : 1;
    options.index = sign * parseWholeNumber(lx);
    return;
  }
  if (lx.text === '') lx.fail('a value');
  // Decoding has turned the + of application/atom+xml into a space. A media type has spaces after semicolons only.
  const text = key === 'format' ? lx.text.replace(/(?<=\w) (?=\w)/g, '+') : lx.text;
  const rule = key === 'format' ? format : key === 'schemaversion' ? schemaversion : undefined;
  if (rule !== undefined && !rule.test(text)) {
    lx.fail(rule === format ? 'json or a media type' : '* or a version', furthestMatch(rule.source, text, 0));
  }
  options[key] = text;
  lx.pos = lx.text.length;
}

const items: ReadonlySet<string> = new Set(['select', 'expand', 'orderby', 'compute']);

/** Rejects the rest of an option after its value, at the first invalid character. */
function failAtRest(lx: Lexer, name: string): never {
  if (name === 'filter' || name === '@') return failAtWord(lx, ['the end']);
  if (name === 'search') return lx.fail(['a space', 'the end']);
  return lx.fail(items.has(name) ? ['","', 'the end'] : 'the end');
}

/** One option of the query. */
interface RawOption {
  /** Decoded. */
  readonly name: string;
  /** Decoded. Undefined without `=`. */
  readonly value: string | undefined;
  /** Offsets of the undecoded name in the query. 0 for URLSearchParams. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Converts an offset in the decoded value to an offset in the undecoded query. */
  queryOffset(valueOffset: number): number | undefined;
  /** Returns whether the character at an offset of the value was percent-encoded. Undefined for URLSearchParams. */
  readonly isEncoded: ((valueOffset: number) => boolean) | undefined;
}

/** Splits a query at `&` and at the first `=`, and decodes each part once. `+` is a space. */
export function splitQuery(query: string | URLSearchParams, strict: boolean): RawOption[] {
  if (typeof query !== 'string') {
    return Array.from(query, ([name, value]) => ({
      name,
      value,
      nameStart: 0,
      nameEnd: 0,
      queryOffset: () => undefined,
      isEncoded: undefined,
    }));
  }
  const options: RawOption[] = [];
  let start = 0;
  while (start <= query.length) {
    const end = query.indexOf('&', start) < 0 ? query.length : query.indexOf('&', start);
    if (end > start && !(strict && query[start] === '=')) options.push(rawOption(query, start, end));
    else if (strict) {
      throw atQuery('syntax', 'a query option', start);
    }
    start = end + 1;
  }
  return options;
}

function rawOption(query: string, start: number, end: number): RawOption {
  const equals = query.indexOf('=', start);
  const nameEnd = equals < 0 || equals > end ? end : equals;
  const valueStart = nameEnd + 1;
  let walk: ((valueOffset: number) => number) | undefined;
  const queryOffset = (valueOffset: number): number => {
    walk ??= offsetWalk(query, valueStart, end);
    return walk(valueOffset);
  };
  return {
    name: decode(query, start, nameEnd),
    value: nameEnd === end ? undefined : decode(query, valueStart, end),
    nameStart: start,
    nameEnd,
    queryOffset,
    isEncoded: (valueOffset) => query[queryOffset(valueOffset)] === '%',
  };
}

function decode(query: string, start: number, end: number): string {
  const text = query.slice(start, end);
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw atQuery('invalid_encoding', 'percent-encoded UTF-8', start + invalidOffset(text));
  }
}

function atQuery(code: ODataErrorCode, expected: string, offset: number): ODataError {
  const error = new ODataError(code, `Expected ${expected} at offset ${offset} of the query.`, {
    offset,
    expected: [expected],
  });
  error.queryOffset = offset;
  return error;
}

/** Returns the offset of the first escape sequence that does not decode. */
function invalidOffset(text: string): number {
  const runs = /(?:%[0-9A-Fa-f]{2})+|%/g;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    try {
      decodeURIComponent(run[0]);
    } catch {
      return run.index;
    }
  }
  return 0;
}

/**
 * Returns a function from an offset in the decoded value to an offset in the query. It continues from its last position,
 * so a series of ascending offsets costs one pass.
 */
function offsetWalk(query: string, start: number, end: number): (valueOffset: number) => number {
  let at = start;
  let units = 0;
  return (valueOffset) => {
    if (valueOffset < units) {
      at = start;
      units = 0;
    }
    while (units < valueOffset && at < end) {
      if (query.charCodeAt(at) !== 37) {
        at++;
        units++;
        continue;
      }
      const first = Number.parseInt(query.slice(at + 1, at + 3), 16);
      const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      at += 3 * bytes;
      units += bytes === 4 ? 2 : 1;
    }
    return Math.min(at, end);
  };
}
