import type { Literal, LiteralType } from './ast.ts';
import { isDigit, isHex, type Lexer } from './lexer.ts';
import { parseGeo } from './parse-geo.ts';
import { furthestMatch } from './pattern.ts';
import { quoteWithinHint } from './syntax-hints.ts';

const hex = '[0-9A-Fa-f]';
const year = '-?(?:0\\d{3}|[1-9]\\d{3,})';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const timeOfDay = `${clock}(?::(?:[0-5]\\d|60)(?:\\.\\d{1,12})?)?`;
const zone = `(?:[Zz]|[+-]${clock})`;
const date = `${year}-${month}-${day}`;
const base64 = '[A-Za-z0-9_-]';
const whole = '\\d+';

/**
 * Patterns of the literals (OData ABNF, section 7). They have no flags and no look-around, because the linear matcher of
 * `pattern.ts` also runs them to find the first wrong character.
 */
export const literalRules = {
  date,
  timeOfDay,
  zone,
  dateTimeOffset: `${date}[Tt]${timeOfDay}${zone}`,
  guid: `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`,
  number: `[+-]?${whole}(?:\\.${whole})?(?:[Ee][+-]?${whole})?`,
  infinity: '(?:-?INF|NaN)',
  duration: `-?[Pp](?:${whole}[Dd])?(?:[Tt](?:${whole}[Hh])?(?:${whole}[Mm])?(?:${whole}(?:\\.${whole})?[Ss])?)?`,
  binary: `(?:${base64}{4})*(?:${base64}{2}[AEIMQUYcgkosw048]=?|${base64}[AQgw](?:==)?)?`,
  enumNumber: '[+-]?\\d{1,19}',
} as const;

const sticky = (rule: string): RegExp => new RegExp(rule, 'y');
const dateRule = sticky(literalRules.date);
const clockRule = sticky(literalRules.timeOfDay);
const zoneRule = sticky(literalRules.zone);
const numberRule = sticky(literalRules.number);
const infinityRule = sticky(literalRules.infinity);
const durationRule = sticky(literalRules.duration);
const binaryRule = sticky(literalRules.binary);
const enumNumberRule = sticky(literalRules.enumNumber);

/** Returns the index after the match of a sticky rule at `from`, or -1. */
function matchEnd(rule: RegExp, text: string, from: number): number {
  rule.lastIndex = from;
  return rule.test(text) ? rule.lastIndex : -1;
}

function literal(lx: Lexer, type: LiteralType, offset: number, end: number): Literal {
  lx.pos = end;
  return { kind: 'literal', type, value: lx.text.slice(offset, end), enumType: undefined, offset, end };
}

/** Parses a primitiveLiteral that starts with a digit or a sign. Returns undefined when there is none. */
export function parseNumberOrTime(lx: Lexer): Literal | undefined {
  const { text, pos } = lx;
  const sign = text.charCodeAt(pos);
  const first = sign === 45 || sign === 43 ? pos + 1 : pos;
  if (!isDigit(text.charCodeAt(first))) {
    const end = sign === 45 ? matchEnd(infinityRule, text, pos) : -1;
    // `-INFO` is a negated property.
    return end > 0 && lx.identifierEnd(first) === end ? literal(lx, 'Edm.Double', pos, end) : undefined;
  }
  // Most literals are short whole numbers, which need no regular expression.
  let at = first + 1;
  while (isDigit(text.charCodeAt(at))) at++;
  const next = text.charCodeAt(at);
  if (next === 45 && sign !== 43 && at - first >= 4) {
    const guid = guidLiteral(lx);
    if (guid !== undefined) return guid;
    const dateEnd = matchEnd(dateRule, text, pos);
    if (dateEnd > 0) return dateOrDateTime(lx, dateEnd);
    const [wrongDate, wrongGuid] = [
      furthestMatch(literalRules.date, text, pos),
      furthestMatch(literalRules.guid, text, pos),
    ];
    lx.fail('a date such as 2024-01-31', Math.max(wrongDate, wrongGuid));
  }
  if (next === 58 && at - first === 2 && first === pos) {
    const end = matchEnd(clockRule, text, pos);
    if (end > 0) {
      lx.time = literal(lx, 'Edm.TimeOfDay', pos, end);
      return lx.time;
    }
  }
  if (isHex(next) && first === pos) {
    const guid = guidLiteral(lx);
    if (guid !== undefined) return guid;
  }
  if (next !== 46 && next !== 101 && next !== 69) return literal(lx, 'Edm.Int64', pos, at);
  const end = matchEnd(numberRule, text, pos);
  const rest = text.charCodeAt(end);
  if (rest === 46 || rest === 101 || rest === 69) lx.fail('a digit', end + 1);
  return literal(lx, end === at ? 'Edm.Int64' : 'Edm.Decimal', pos, end);
}

/** Parses a guid. Returns undefined when there is none. */
export function guidLiteral(lx: Lexer): Literal | undefined {
  const { text, pos } = lx;
  if (text.charCodeAt(pos + 8) !== 45 || text.charCodeAt(pos + 13) !== 45) return undefined;
  for (let i = 0; i < 36; i++) {
    const code = text.charCodeAt(pos + i);
    const hyphen = i === 8 || i === 13 || i === 18 || i === 23;
    if (hyphen ? code !== 45 : !isHex(code)) return undefined;
  }
  return literal(lx, 'Edm.Guid', pos, pos + 36);
}

/** Parses a date or dateTimeOffsetLiteral. A time without an offset is UTC, and is rejected when strict. */
function dateOrDateTime(lx: Lexer, dateEnd: number): Literal {
  const { text, pos } = lx;
  const separator = text.charCodeAt(dateEnd);
  if (separator !== 84 && separator !== 116) return literal(lx, 'Edm.Date', pos, dateEnd);
  const clockEnd = matchEnd(clockRule, text, dateEnd + 1);
  if (clockEnd < 0) {
    return lx.fail('a time such as 09:30:00', furthestMatch(literalRules.timeOfDay, text, dateEnd + 1));
  }
  const zoneEnd = matchEnd(zoneRule, text, clockEnd);
  if (zoneEnd < 0 && (lx.strict || /[.+-]/.test(text.charAt(clockEnd)))) {
    const wrong = Math.max(
      furthestMatch(literalRules.timeOfDay, text, dateEnd + 1),
      furthestMatch(literalRules.zone, text, clockEnd),
    );
    lx.fail(wrong > clockEnd && text[clockEnd] === '.' ? 'a digit' : ['Z', 'an offset such as +01:00'], wrong);
  }
  return literal(lx, 'Edm.DateTimeOffset', pos, Math.max(zoneEnd, clockEnd));
}

/** Parses a string such as `'O''Neil'`. The lexer is at the opening quote. */
export function parseString(lx: Lexer): Literal {
  const offset = lx.pos;
  const { text } = lx;
  let close = text.indexOf("'", offset + 1);
  let value = '';
  let from = offset + 1;
  while (close >= 0 && text.charCodeAt(close + 1) === 39) {
    value += text.slice(from, close + 1);
    from = close + 2;
    close = text.indexOf("'", from);
  }
  if (close < 0) lx.fail("the closing quote ' of the string", text.length);
  value = value === '' ? text.slice(from, close) : value + text.slice(from, close);
  lx.pos = close + 1;
  return { kind: 'literal', type: 'Edm.String', value, enumType: undefined, offset, end: lx.pos };
}

/**
 * Parses a literal with a prefix: duration, binary, geography, geometry or an enumeration.
 * The lexer is at the quote, and `offset` is the start of the prefix.
 */
export function parsePrefixed(lx: Lexer, prefix: string, offset: number): Literal {
  switch (prefix.toLowerCase()) {
    case 'duration':
      return quoted(lx, 'Edm.Duration', offset, (from) =>
        ruleEnd(lx, durationRule, from, 'a duration such as P1DT12H'),
      );
    case 'binary':
      return quoted(lx, 'Edm.Binary', offset, (from) => ruleEnd(lx, binaryRule, from, 'base64url such as T0RhdGE'));
    case 'geography':
      return quoted(lx, 'Edm.Geography', offset, (from) => parseGeo(lx, from));
    case 'geometry':
      return quoted(lx, 'Edm.Geometry', offset, (from) => parseGeo(lx, from));
  }
  // OData 2 had datetime'…' and guid'…'.
  if (!prefix.includes('.')) {
    const rest = lx.text.slice(lx.pos + 1);
    const hint = rest.includes("'") ? '' : quoteWithinHint(prefix, rest);
    lx.fail(`no quote: ${prefix} is not a prefix of a literal`, lx.pos, hint);
  }
  const { value, end } = quoted(lx, 'enum', offset, (from) => enumEnd(lx, from));
  return { kind: 'literal', type: 'enum', value, enumType: prefix, offset, end };
}

function quoted(lx: Lexer, type: LiteralType, offset: number, scan: (from: number) => number): Literal {
  const from = lx.pos + 1;
  const end = scan(from);
  if (lx.text.charCodeAt(end) !== 39) lx.fail("the closing quote '", end);
  lx.pos = end + 1;
  return { kind: 'literal', type, value: lx.text.slice(from, end), enumType: undefined, offset, end: lx.pos };
}

/**
 * Returns the index of the closing quote after the match of a rule. Fails at the first character that breaks the rule.
 */
function ruleEnd(lx: Lexer, rule: RegExp, from: number, expected: string): number {
  const end = matchEnd(rule, lx.text, from);
  if (lx.text.charCodeAt(end) === 39) return end;
  const wrong = furthestMatch(rule.source, lx.text, from);
  return lx.fail(wrong >= lx.text.length ? "the closing quote '" : expected, wrong);
}

/** Returns the index after singleEnumLiteral *( COMMA singleEnumLiteral ). */
function enumEnd(lx: Lexer, from: number): number {
  let at = from;
  for (;;) {
    const nameEnd = lx.identifierEnd(at);
    const end = nameEnd > at ? nameEnd : matchEnd(enumNumberRule, lx.text, at);
    if (end < 0) lx.fail('a member of the enumeration', at);
    if (lx.text.charCodeAt(end) !== 44) return end;
    at = end + 1;
  }
}

/** Returns the type of a word that is a literal. Only `true` and `false` are case-insensitive. */
export function keywordType(word: string): LiteralType | undefined {
  switch (word) {
    case 'null':
      return 'null';
    case 'true':
    case 'false':
      return 'Edm.Boolean';
    case 'INF':
    case 'NaN':
      return 'Edm.Double';
  }
  if (word.length > 5) return undefined;
  const lower = word.toLowerCase();
  return lower === 'true' || lower === 'false' ? 'Edm.Boolean' : undefined;
}

/** Parses a primitive literal. Returns undefined, and takes nothing, when there is none. */
export function parseLiteral(lx: Lexer): Literal | undefined {
  const code = lx.peek();
  if (code === 39) return parseString(lx);
  if (isDigit(code) || code === 45 || code === 43) return parseNumberOrTime(lx);
  if (isHex(code)) {
    const guid = guidLiteral(lx);
    if (guid !== undefined) return guid;
  }
  const start = lx.pos;
  let end = lx.identifierEnd(start);
  if (end === start) return undefined;
  const type = keywordType(lx.text.slice(start, end));
  const next = lx.text.charCodeAt(end);
  if (type !== undefined && next !== 39 && next !== 46) return literal(lx, type, start, end);
  while (lx.text.charCodeAt(end) === 46 && lx.identifierEnd(end + 1) > end + 1) end = lx.identifierEnd(end + 1);
  if (lx.text.charCodeAt(end) !== 39) return undefined;
  lx.pos = end;
  return parsePrefixed(lx, lx.text.slice(start, end), start);
}
