import { readFileSync } from 'node:fs';
import { defaultLimits, ODataError, parseQueryOptions } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { parseExpression } from '../src/parse-expression.ts';
import { parseLiteral } from '../src/parse-literal.ts';

/**
 * Recognises the rule odataRelativeUri of the OASIS cases. The library does not parse resource paths. This code skips the
 * path, so that the library can parse the query options after it.
 */
export function parseRelativeUri(input: string): void {
  const hash = input.indexOf('#');
  const uri = hash < 0 ? input : input.slice(0, hash);
  const mark = uri.indexOf('?');
  const path = mark < 0 ? uri : uri.slice(0, mark);
  const query = mark < 0 ? '' : uri.slice(mark + 1);
  const lx = new Lexer(decodePath(path), defaultLimits, parseExpression, true);
  const service = takeWord(lx, ['$batch', '$metadata', '$entity']);
  if (hash >= 0 && service !== '$metadata') throw failure(hash);
  if (service === undefined) {
    matchResourcePath(lx.text);
    lx.pos = lx.text.length;
  } else if (service === '$entity' && lx.take('/')) lx.qualifiedName();
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

/** Decodes a path. An encoded slash becomes U+2215, because it does not separate segments. */
const decodePath = (path: string): string => decodeURIComponent(path.replaceAll(/%2f/gi, '%E2%88%95'));

const file = new URL('../fixtures/odata-abnf-names.json', import.meta.url);
const { names } = JSON.parse(readFileSync(file, 'utf8')) as { names: Readonly<Record<string, readonly string[]>> };

/** Returns the offsets at which a rule can end that starts at an offset. */
type Rule = (at: number) => readonly number[];

/** Matches the rule resourcePath (OData ABNF, section 1) with the whole text, or throws. */
function matchResourcePath(text: string): void {
  let furthest = 0;
  const reach = (at: number): readonly number[] => {
    furthest = Math.max(furthest, at);
    return [at];
  };
  const one = (...rules: Rule[]): Rule => {
    return (at) => [...new Set(rules.flatMap((rule) => rule(at)))];
  };
  const sequence = (...rules: Rule[]): Rule => {
    return (at) =>
      rules.reduce<readonly number[]>((ends, rule) => [...new Set(ends.flatMap((end) => rule(end)))], [at]);
  };
  const optional = (rule: Rule): Rule => one((at) => [at], rule);
  const later =
    (rule: () => Rule): Rule =>
    (at) =>
      rule()(at);
  const word =
    (literal: string): Rule =>
    (at) =>
      text.startsWith(literal, at) ? reach(at + literal.length) : [];
  const many = (rule: Rule): Rule =>
    optional(
      sequence(
        rule,
        later(() => many(rule)),
      ),
    );
  const list = (item: Rule): Rule => sequence(item, many(sequence(word(','), item)));
  const space: Rule = (at) => [at + (/^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0)];

  const identifier: Rule = (at) => {
    const end = new Lexer(text, defaultLimits, parseExpression, true).identifierEnd(at);
    return end === at ? [] : reach(end);
  };
  /** Matches a name of one of these kinds. */
  const name = (...kinds: string[]): Rule => {
    const known = new Set(kinds.flatMap((kind) => names[kind] ?? []));
    return (at) => identifier(at).filter((end) => known.has(text.slice(at, end)));
  };
  const namespace = sequence(name('namespacePart'), many(sequence(word('.'), name('namespacePart'))));
  const qualified = (...kinds: string[]): Rule => sequence(optional(sequence(namespace, word('.'))), name(...kinds));

  /** Matches the text that a parser of the library takes. */
  const parsed =
    (parse: (lx: Lexer) => unknown): Rule =>
    (at) => {
      const lx = new Lexer(text, defaultLimits, parseExpression, true);
      lx.pos = at;
      try {
        return parse(lx) === undefined ? [] : reach(lx.pos);
      } catch (error) {
        if (error instanceof ODataError) reach(error.offset);
        return [];
      }
    };
  const expression = parsed(parseExpression);
  const literal: Rule = (at) => {
    const ends = parsed(parseLiteral)(at);
    const slash = text.indexOf('/', at);
    if (slash < 0 || !ends.some((end) => end > slash)) return ends;
    furthest = slash;
    return [];
  };
  const value = one(sequence(word('@'), identifier), literal);
  const parameter = sequence(name('parameterName'), word('='), value);
  const parameters = sequence(
    word('('),
    optional(sequence(space, parameter, many(sequence(space, word(','), space, parameter)))),
    space,
    word(')'),
  );

  const count = word('/$count');
  const ref = word('/$ref');
  const query = word('/$query');
  const entityType = sequence(word('/'), qualified('entityTypeName'));
  const complexType = sequence(word('/'), qualified('complexTypeName'));
  const keyPaths = new Set((names.keyPathLiteral ?? []).map(decodePath));
  const keySegment: Rule = (at) => {
    const end = text.indexOf('/', at + 1) < 0 ? text.length : text.indexOf('/', at + 1);
    return text[at] === '/' ? reach(end).filter(() => keyPaths.has(text.slice(at + 1, end))) : [];
  };
  const key = one(
    sequence(word('('), value, word(')')),
    sequence(word('('), list(sequence(identifier, word('='), value)), word(')')),
    sequence(keySegment, many(keySegment)),
  );

  const collectionNavigation: Rule = later(() => one(collectionPath, sequence(entityType, optional(collectionPath))));
  const collectionPath: Rule = later(() =>
    one(
      sequence(key, optional(singleNavigation)),
      sequence(word('/$filter('), expression, word(')'), optional(collectionNavigation)),
      sequence(word('/$each'), optional(operation)),
      ...[operation, count, ref, query],
    ),
  );
  const singleNavigation: Rule = later(() => one(singlePath, sequence(entityType, optional(singlePath))));
  const singlePath: Rule = later(() => one(property, operation, ref, word('/$value'), query));
  const ordinal: Rule = (at) => {
    const [found] = /^\/-?\d+/.exec(text.slice(at)) ?? [];
    return found === undefined ? [] : reach(at + found.length);
  };
  const items: Rule = later(() => one(count, operation, ordinal, query));
  const primitivePath: Rule = later(() => one(word('/$value'), operation, query));
  const complexItems: Rule = later(() => one(items, sequence(complexType, optional(items))));
  const complexPath: Rule = later(() => one(complexMember, sequence(complexType, optional(complexMember))));
  const complexMember: Rule = later(() => one(property, operation, query));

  const kinds: readonly (readonly [kind: string, path: Rule])[] = [
    ['entityCol', collectionNavigation],
    ['entity', singleNavigation],
    ['complexCol', complexItems],
    ['complex', complexPath],
    ['primitiveCol', items],
    ['primitive', primitivePath],
  ];
  const property: Rule = later(() =>
    sequence(
      word('/'),
      one(
        sequence(name('entityColNavigationProperty'), optional(collectionNavigation)),
        sequence(name('entityNavigationProperty'), optional(singleNavigation)),
        sequence(name('complexColProperty'), optional(complexItems)),
        sequence(name('complexProperty'), optional(complexPath)),
        sequence(name('primitiveColProperty'), optional(items)),
        sequence(name('primitiveKeyProperty', 'primitiveNonKeyProperty'), optional(primitivePath)),
        sequence(name('streamProperty'), optional(operation)),
      ),
    ),
  );
  const operation: Rule = later(() =>
    sequence(
      word('/'),
      one(
        qualified('action'),
        ...kinds.map(([kind, path]) => sequence(qualified(`${kind}Function`), parameters, optional(path))),
        ...kinds.map(([kind]) => sequence(qualified(`${kind}Function`), optional(query))),
      ),
    ),
  );
  const resourcePath = one(
    sequence(name('entitySetName'), optional(collectionNavigation)),
    sequence(name('singletonEntity'), optional(singleNavigation)),
    name('actionImport'),
    ...kinds.map(([kind, path]) => sequence(name(`${kind}FunctionImport`), parameters, optional(path))),
    ...kinds.map(([kind]) => sequence(name(`${kind}FunctionImport`), optional(query))),
    sequence(word('$crossjoin('), list(name('entitySetName')), word(')'), optional(query)),
    sequence(word('$all'), optional(entityType)),
  );
  if (!resourcePath(0).includes(text.length)) throw failure(furthest);
}
