import { defaultLimits, ODataError, parseQueryOptions, type QueryOptions } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import * as literals from '../src/literal-rules.ts';
import { parseLiteral, parseString } from '../src/parse-literal.ts';
import { compilePattern, furthestMatch } from '../src/pattern.ts';
import { parseRelativeUri } from './abnf-resource-path.ts';

/** Parses `input` by one rule of the ABNF, all of it, or throws ODataError. */
type RuleParser = (input: string) => unknown;

/** Rule of the ABNF → this library's parser for it. Names of rules are those of the OASIS cases. */
export const abnfRules: Readonly<Record<string, RuleParser>> = {
  queryOptions: options,
  systemQueryOption: options,
  filter: option('filter'),
  orderby: option('orderby'),
  orderBy: option('orderby'),
  expand: option('expand'),
  select: option('select'),
  search: option('search'),
  compute: option('compute'),
  top: option('top'),
  skip: option('skip'),
  inlinecount: option('count'),
  format: option('format'),
  index: option('index'),
  schemaversion: option('schemaversion'),
  odataRelativeUri: parseRelativeUri,

  commonExpr: expression(''),
  boolCommonExpr: expression(''),
  parameterValue: expression(''),
  arrayOrObject: expression(''),
  methodCallExpr: expression(''),
  firstMemberExpr: path,
  propertyPathExpr: path,
  anyExpr: expression('X/'),
  allExpr: expression('X/'),

  primitiveLiteral: (input) => literal(input),
  stringLiteral: (input) => whole(input, (lx) => (lx.peek() === 39 ? parseString(lx) : lx.fail("'"))),
  odataIdentifier: (input) => whole(input, (lx) => lx.identifier()),
  boolean: pattern('(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])'),
  booleanValue: pattern('(?:true|false)'),
  guid: pattern(literals.guid),
  guidValue: pattern(literals.guid),
  date: pattern(literals.date),
  dateValue: pattern(literals.date),
  dateTimeOffsetValue: pattern(literals.dateTimeOffset),
  timeOfDayValue: pattern(literals.timeOfDay),
  durationValue: pattern(literals.duration),
  decimalValue: pattern(`(?:${literals.number}|${literals.infinity})`),
  doubleValue: pattern(`(?:${literals.number}|${literals.infinity})`),
  singleValue: pattern(`(?:${literals.number}|${literals.infinity})`),
  binaryValue: pattern(literals.binary),
};

function options(input: string): QueryOptions {
  return parseQueryOptions(input, { strict: true });
}

function option(name: keyof QueryOptions): RuleParser {
  return (input) => {
    const value = options(input)[name];
    if (value === undefined) throw syntax(0);
    return value;
  };
}

/** Read as the value of a $filter; offsets are put back to the input's own. */
function expression(prefix: string): RuleParser {
  const before = `$filter=${prefix}`;
  return (input) => {
    try {
      return options(before + input).filter;
    } catch (error) {
      if (error instanceof ODataError && error.queryOffset !== undefined) error.queryOffset -= before.length;
      throw error;
    }
  };
}

function path(input: string): unknown {
  const tree = options(`$filter=${input}`).filter;
  if (tree?.kind !== 'path') throw syntax(0);
  return tree;
}

function literal(input: string): unknown {
  return whole(decodeURIComponent(input), (lx) => parseLiteral(lx) ?? lx.fail('a literal'));
}

function whole<T>(text: string, parse: (lx: Lexer) => T): T {
  const lx = new Lexer(text, defaultLimits, true);
  const value = parse(lx);
  if (!lx.atEnd()) lx.fail('the end');
  return value;
}

function pattern(source: string): RuleParser {
  const matches = compilePattern(`^${source}$`);
  return (input) => {
    if (!matches(input)) throw syntax(furthestMatch(source, input, 0));
  };
}

export const syntax = (offset: number): ODataError => new ODataError('syntax', 'Not of the rule.', { offset });
