import { isObject, type JsonObject } from './json-pointer.ts';
import type { TranslationScope } from './translate-schema.ts';

/** What a reference to a parameter, header, body, answer or example points at, with the pointer of its own. */
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
        isOutside ? `leads out of the document (${$ref}): bundle it into one file first` : `${$ref} points at nothing`,
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
