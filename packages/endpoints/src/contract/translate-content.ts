import { escapeStep, isObject, type JsonObject, type SchemaObject } from '../json-pointer.ts';
import { type TranslationScope, translateSchema } from './translate-schema.ts';

/** Returns the content of a body by lower-case media type without parameters. */
export function translateContent(
  given: unknown,
  at: string,
  scope: TranslationScope,
): Readonly<Record<string, SchemaObject>> {
  if (!isObject(given)) {
    scope.report(at, 'must be an object with media types');
    return {};
  }
  const content: Record<string, SchemaObject> = {};
  for (const [name, media] of Object.entries(given)) {
    const here = `${at}/${escapeStep(name)}`;
    const type = (name.split(';', 1)[0] as string).trim().toLowerCase();
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) scope.report(here, `"${name}" is not a media type`);
    else if (!isObject(media)) scope.report(here, 'must be an object');
    else if (!Object.hasOwn(content, type)) {
      content[type] = {
        ...translateSchemaMembers(media, here, scope),
        ...(media.encoding === undefined ? {} : { encoding: media.encoding }),
      };
    }
  }
  return content;
}

/** Translates `schema`, `example` and `examples`, which headers and media types share. */
export function translateSchemaMembers(given: JsonObject, at: string, scope: TranslationScope): SchemaObject {
  return {
    ...(given.schema === undefined ? {} : { schema: translateSchema(given.schema, `${at}/schema`, scope) }),
    ...translateExamples(given, at, scope),
  };
}

export function translateExamples(given: JsonObject, at: string, scope: TranslationScope): SchemaObject {
  if (given.example !== undefined) return { example: given.example };
  if (!isObject(given.examples)) return {};
  const examples = Object.entries(given.examples).flatMap(([name, example]) => {
    const [found] = followReference(example, `${at}/examples/${escapeStep(name)}`, scope);
    return found === undefined ? [] : [[name, found] as const];
  });
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}

/** Follows a reference to a parameter, header, body, response or example; returns the target and its pointer. */
export function followReference(
  given: unknown,
  at: string,
  { document, report }: TranslationScope,
): readonly [JsonObject | undefined, string] {
  let found = given;
  let pointer = at;
  const seen = new Set<string>();
  while (isObject(found) && typeof found.$ref === 'string') {
    const { $ref } = found;
    const target = $ref.startsWith('#') ? document.resolve($ref) : undefined;
    if (!isObject(target) || seen.has($ref)) {
      const isOutside = !$ref.startsWith('#');
      report(
        `${pointer}/$ref`,
        isOutside ? `points outside the document (${$ref}): bundle it into one file first` : `${$ref} does not exist`,
      );
      return [undefined, pointer];
    }
    seen.add($ref);
    found = target;
    pointer = $ref.slice(1);
  }
  if (isObject(found)) return [found, pointer];
  report(pointer, 'must be an object');
  return [undefined, pointer];
}
