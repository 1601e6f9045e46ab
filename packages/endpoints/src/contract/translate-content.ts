import type { SchemaObject } from '../service-schemas.ts';
import { escapeStep, isObject } from './json-pointer.ts';
import { translateSchemaMembers } from './schema-members.ts';
import type { TranslationScope } from './translate-schema.ts';

/** What a body holds, by media type without its parameters, in lower case. */
export function translateContent(
  given: unknown,
  at: string,
  scope: TranslationScope,
): Readonly<Record<string, SchemaObject>> {
  if (!isObject(given)) {
    scope.report(at, 'must be an object of media types');
    return {};
  }
  const content: Record<string, SchemaObject> = {};
  for (const [name, media] of Object.entries(given)) {
    const here = `${at}/${escapeStep(name)}`;
    const type = (name.split(';', 1)[0] as string).trim().toLowerCase();
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) scope.report(here, `"${name}" is no media type`);
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
