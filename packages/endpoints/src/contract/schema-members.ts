import type { SchemaObject } from '../service-schemas.ts';
import { followReference } from './follow-reference.ts';
import { escapeStep, isObject, type JsonObject } from './json-pointer.ts';
import { type TranslationScope, translateSchema } from './translate-schema.ts';

/** `schema`, `example` and `examples`, which headers and media types have in common. */
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
