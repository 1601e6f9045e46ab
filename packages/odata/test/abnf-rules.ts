import { defaultLimits, type Expression, ODataError, parseQueryOptions, type QueryOptions } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { parseExpression } from '../src/parse-expression.ts';
import { literalRules } from '../src/parse-literal.ts';
import { splitQuery } from '../src/parse-query-options.ts';
import { compilePattern, furthestMatch } from '../src/pattern.ts';
import { parseRelativeUri } from './abnf-resource-path.ts';

/** Parses the whole input by one rule of the ABNF, or throws ODataError. */
type RuleParser = (input: string) => unknown;

const number = `(?:${literalRules.number}|${literalRules.infinity})`;
const wholeNumber = (digits: number): string => `[+-]?\\d{1,${digits}}`;

/** The parser of each ABNF rule. The names of the rules are those of the OASIS cases. */
export const abnfRules: Readonly<Record<string, RuleParser>> = {
  queryOptions: options,
  queryOption: options,
  systemQueryOption: systemOption,
  aliasAndValue: options,
  nameAndValue: options,
  customQueryOption: options,
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
  id: option('id'),
  index: option('index'),
  schemaversion: option('schemaversion'),
  skiptoken: option('skiptoken'),
  deltatoken: option('deltatoken'),
  levels: part('$expand=X(', ')'),
  expandOption: part('$expand=X(', ')'),
  expandRefOption: part('$expand=X/$ref(', ')'),
  expandCountOption: part('$expand=X/$count(', ')'),
  expandItem: part('$expand='),
  expandPath: part('$expand='),
  selectItem: part('$select='),
  selectOption: part('$select=X(', ')'),
  orderbyItem: part('$orderby='),
  computeItem: part('$compute='),
  searchExpr: part('$search='),
  searchPhrase: part('$search='),
  searchWord: part('$search='),
  odataRelativeUri: parseRelativeUri,

  commonExpr: part('$filter='),
  boolCommonExpr: part('$filter='),
  parameterValue: part('@x='),
  arrayOrObject: kind('array', 'object'),
  functionExpr: path,
  boundFunctionExpr: path,
  rootExpr: path,
  firstMemberExpr: path,
  memberExpr: path,
  propertyPathExpr: path,
  annotationExpr: path,
  inscopeVariableExpr: path,
  methodCallExpr: kind('call'),
  boolMethodCallExpr: kind('call'),
  caseMethodCallExpr: kind('case'),
  castExpr: kind('cast'),
  isofExpr: kind('isof'),
  negateExpr: kind('negate', 'literal'),
  notExpr: kind('not'),
  parenExpr: part('$filter='),
  listExpr: part('$filter=X in '),
  collectionPathExpr: part('$filter=X'),
  complexColPathExpr: part('$filter=X'),
  filterExpr: part('$filter=X', '/$count'),
  anyExpr: part('$filter=X/'),
  allExpr: part('$filter=X/'),

  primitiveLiteral: kind('literal'),
  stringLiteral: literal('Edm.String'),
  durationLiteral: literal('Edm.Duration', 'Edm.String'),
  enumLiteral: literal('enum', 'Edm.String'),
  binaryLiteral: literal('Edm.Binary'),
  dateTimeOffsetLiteral: literal('Edm.DateTimeOffset'),
  timeOfDayLiteral: literal('Edm.TimeOfDay'),
  decimalLiteral: literal('Edm.Decimal', 'Edm.Int64', 'Edm.Double'),
  doubleLiteral: literal('Edm.Decimal', 'Edm.Int64', 'Edm.Double'),
  singleLiteral: literal('Edm.Decimal', 'Edm.Int64', 'Edm.Double'),
  geographyCollection: literal('Edm.Geography'),
  geographyLineString: literal('Edm.Geography'),
  geographyMultiLineString: literal('Edm.Geography'),
  geographyMultiPoint: literal('Edm.Geography'),
  geographyMultiPolygon: literal('Edm.Geography'),
  geographyPoint: literal('Edm.Geography'),
  geographyPolygon: literal('Edm.Geography'),
  geometryCollection: literal('Edm.Geometry'),
  geometryPoint: literal('Edm.Geometry'),
  geometryPolygon: literal('Edm.Geometry'),
  odataIdentifier: (input) => whole(input, (lx) => lx.identifier()),
  qualifiedTypeName: part('$filter=cast(X,', ')'),
  optionallyQualifiedTypeName: part('$filter=cast(X,', ')'),
  null: pattern('null'),
  nanInfinity: pattern(literalRules.infinity),
  boolean: pattern('(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])'),
  booleanValue: pattern('(?:true|false)'),
  guid: pattern(literalRules.guid),
  guidValue: pattern(literalRules.guid),
  date: pattern(literalRules.date),
  dateValue: pattern(literalRules.date),
  dateTimeOffsetValue: pattern(literalRules.dateTimeOffset),
  timeOfDayValue: pattern(literalRules.timeOfDay),
  durationValue: pattern(literalRules.duration),
  decimalValue: pattern(number),
  doubleValue: pattern(number),
  singleValue: pattern(number),
  byte: pattern('\\d{1,3}'),
  sbyteValue: pattern(wholeNumber(3)),
  int16Value: pattern(wholeNumber(5)),
  int32Value: pattern(wholeNumber(10)),
  int64Value: pattern(wholeNumber(19)),
  binaryValue: pattern(literalRules.binary),
};

/** Returns the offset of the error of `parse` in the undecoded text, or undefined without an error. */
export function offsetOfFailure(parse: () => unknown): number | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof ODataError) return error.queryOffset ?? error.offset;
    throw error;
  }
}

function options(input: string): QueryOptions {
  if (input === '') throw syntax(0);
  return parseQueryOptions(input, { strict: true });
}

function systemOption(input: string): QueryOptions {
  const tree = options(input);
  if (tree.custom.length > 0) throw syntax(0);
  return tree;
}

function option(name: keyof QueryOptions): RuleParser {
  return (input) => {
    const value = options(input)[name];
    if (value === undefined) throw syntax(0);
    return value;
  };
}

/** Parses the rule within an option, and converts offsets to those of the input. */
function part(before: string, after = ''): (input: string) => QueryOptions {
  return (input) => {
    try {
      return options(before + input + after);
    } catch (error) {
      if (error instanceof ODataError && error.queryOffset !== undefined) error.queryOffset -= before.length;
      throw error;
    }
  };
}

/** Parses an expression of these kinds. */
function kind(...kinds: Expression['kind'][]): RuleParser {
  const parse = part('$filter=');
  return (input) => {
    const tree = parse(input).filter;
    if (tree === undefined || !kinds.includes(tree.kind)) throw syntax(0);
    return tree;
  };
}

function path(input: string): unknown {
  return kind('path')(input);
}

function literal(...types: string[]): RuleParser {
  const parse = kind('literal');
  return (input) => {
    const tree = parse(input) as { type: string };
    if (!types.includes(tree.type)) throw syntax(0);
    return tree;
  };
}

function whole<T>(input: string, parse: (lx: Lexer) => T): T {
  const [raw] = splitQuery(`x=${input}`, true);
  const lx = new Lexer(raw?.value ?? '', defaultLimits, parseExpression, true);
  try {
    const value = parse(lx);
    return lx.atEnd() ? value : lx.fail('the end');
  } catch (error) {
    if (error instanceof ODataError) error.queryOffset = (raw?.queryOffset(error.offset) ?? 0) - 'x='.length;
    throw error;
  }
}

function pattern(source: string): RuleParser {
  const matches = compilePattern(`^${source}$`);
  return (input) => {
    if (!matches(input)) throw syntax(furthestMatch(source, input, 0));
  };
}

const syntax = (offset: number): ODataError => new ODataError('syntax', 'Not of the rule.', { offset });
