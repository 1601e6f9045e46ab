import { isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';
import type { ContractDocument, FoundOperation } from './contract-document.ts';
import { followReference, translateContent, translateExamples } from './translate-content.ts';
import { type TranslationScope, translateSchema } from './translate-schema.ts';

/** Returns the parameters of an operation; its own replace those of its path item. */
export function translateParameters(found: FoundOperation, scope: TranslationScope): readonly SchemaObject[] {
  const gathered = new Map<string, readonly [JsonObject, string]>();
  for (const [list, at] of [
    [found.item.parameters, `${found.itemPointer}/parameters`],
    [found.operation.parameters, `${found.pointer}/parameters`],
  ] as const) {
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      scope.report(at, 'must be a list');
      continue;
    }
    list.forEach((entry, i) => {
      const [parameter, pointer] = followReference(entry, `${at}/${i}`, scope);
      if (parameter !== undefined) gathered.set(JSON.stringify([parameter.in, parameter.name]), [parameter, pointer]);
    });
  }
  const parameters = [...gathered.values()].flatMap(([parameter, pointer]) => {
    const translated = translateParameter(parameter, pointer, scope);
    return translated === undefined ? [] : [translated];
  });
  const inPath = new Set(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name));
  // Many documents do not declare all path parameters.
  const undeclared = templateNames(found.path).filter((name) => !inPath.has(name));
  return [
    ...undeclared.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...parameters.filter(
      (parameter) => parameter.in !== 'path' || templateNames(found.path).includes(parameter.name as string),
    ),
  ];
}

/** Returns the names between braces in a path template. */
export function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string);
}

/**
 * Headers that an operation cannot declare: OpenAPI ignores the first three (3.0.3 §4.7.12.2), and the last is the
 * gateway's key. Set headers for the upstream in `upstream.headers`.
 */
const gatewayHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization', 'x-api-key']);

const places: ReadonlySet<unknown> = new Set(['query', 'path', 'header', 'cookie']);

/** Styles that the validator supports; the first is the default of OpenAPI. */
const styles: Readonly<Record<string, readonly string[]>> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple'],
  header: ['simple'],
  cookie: ['form'],
};

type Place = 'query' | 'path' | 'header' | 'cookie';

/** Lists, objects and JSON in cookies are forwarded unchecked: their encoding is ambiguous. */
function isCheckedCookie(given: JsonObject, at: string, { document }: TranslationScope): boolean {
  const [schema] = resolveTop(given.schema ?? {}, `${at}/schema`, document);
  const type = isObject(schema) ? schema.type : undefined;
  return given.content === undefined && (given.style ?? 'form') === 'form' && scalarTypes.has(type);
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

function translateParameter(given: JsonObject, at: string, scope: TranslationScope): SchemaObject | undefined {
  const { report } = scope;
  const { name, in: place } = given;
  if (typeof name !== 'string' || name === '' || !places.has(place)) {
    report(at, 'must have a name, and "in" must be query, path, header or cookie');
    return undefined;
  }
  if (place === 'cookie' && !isCheckedCookie(given, at, scope)) return undefined;
  if (place === 'header' && gatewayHeaders.has(name.toLowerCase())) return undefined;
  const where = place as Place;
  return {
    name,
    in: where,
    ...(where === 'path' || given.required === true ? { required: true } : {}),
    ...(typeof given.description === 'string' ? { description: given.description } : {}),
    ...(given.deprecated === true ? { deprecated: true } : {}),
    ...(where === 'query' && given.allowEmptyValue === true ? { allowEmptyValue: true } : {}),
    ...(given.content === undefined
      ? translateStyled(given, where, at, scope)
      : translateJson(given.content, `${at}/content`, scope)),
  };
}

function translateStyled(given: JsonObject, where: Place, at: string, scope: TranslationScope): SchemaObject {
  const known = styles[where] as readonly string[];
  const style = given.style ?? known[0];
  if (typeof style !== 'string' || !known.includes(style)) {
    scope.report(
      `${at}/style`,
      `${JSON.stringify(style)} cannot be checked in the ${where}: use ${known.join(' or ')}`,
    );
    return {};
  }
  const [schema, schemaAt] = resolveTop(given.schema ?? {}, `${at}/schema`, scope.document);
  const type = isObject(schema) ? schema.type : undefined;
  if (where !== 'query' && type === 'object') {
    scope.report(`${at}/schema`, `an object cannot be checked in the ${where}: declare its members as parameters`);
  }
  const explode = typeof given.explode === 'boolean' ? given.explode : style === 'form' || style === 'deepObject';
  const isPlain = type !== 'array' && type !== 'object' && style === known[0];
  return {
    ...(isPlain ? {} : { style, explode: where === 'query' ? explode : false }),
    ...(where === 'query' && given.allowReserved === true ? { allowReserved: true } : {}),
    // The validator does not follow a reference to find the type of a parameter.
    schema: translateSchema(schema, schemaAt, scope),
    ...translateExamples(given, at, scope),
  };
}

function resolveTop(schema: unknown, at: string, document: ContractDocument): readonly [unknown, string] {
  let found = schema;
  let pointer = at;
  for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < 32; hops++) {
    const { $ref, ...beside } = found;
    const target = document.resolve($ref as string);
    if (!isObject(target)) return [schema, at];
    pointer = ($ref as string).slice(1);
    found = document.version === '3.1' ? { ...target, ...beside } : target;
  }
  return [found, pointer];
}

/** Translates a parameter whose value is JSON text. */
function translateJson(given: unknown, at: string, scope: TranslationScope): SchemaObject {
  const content = translateContent(given, at, scope);
  const types = Object.keys(content);
  if (types.length !== 1 || !/[/+]json$/.test(types[0] as string)) {
    scope.report(at, 'cannot be checked: the content of a parameter must be application/json');
  }
  return { content };
}
