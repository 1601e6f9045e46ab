import { escapeStep, isObject, type SchemaObject } from '../json-pointer.ts';
import { followReference, translateContent, translateSchemaMembers } from './translate-content.ts';
import type { TranslationScope } from './translate-schema.ts';

/**
 * The answers of an operation by status. Links are left out, since they lead to operations of the other document, and
 * so are the headers that the gateway writes itself.
 */
export function translateAnswers(
  given: unknown,
  at: string,
  scope: TranslationScope,
): Readonly<Record<string, SchemaObject>> {
  if (given === undefined) return {};
  if (!isObject(given)) {
    scope.report(at, 'must be an object of statuses');
    return {};
  }
  const answers: Record<string, SchemaObject> = {};
  for (const [status, answer] of Object.entries(given)) {
    const here = `${at}/${escapeStep(status)}`;
    if (status.startsWith('x-') || /^1(\d\d|XX)$/i.test(status)) continue;
    if (!/^([2-5]\d\d|[2-5]XX|default)$/.test(status)) {
      scope.report(here, `"${status}" is no status: write 200, 2XX or default`);
      continue;
    }
    const [found, pointer] = followReference(answer, here, scope);
    if (found !== undefined) answers[status] = translateAnswer(found, pointer, scope);
  }
  return answers;
}

function translateAnswer(given: Readonly<Record<string, unknown>>, at: string, scope: TranslationScope): SchemaObject {
  const headers = translateHeaders(given.headers, `${at}/headers`, scope);
  return {
    description: typeof given.description === 'string' && given.description !== '' ? given.description : 'The answer.',
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(given.content === undefined ? {} : { content: translateContent(given.content, `${at}/content`, scope) }),
  };
}

const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
]);

function translateHeaders(given: unknown, at: string, scope: TranslationScope): Readonly<Record<string, SchemaObject>> {
  if (!isObject(given)) return {};
  const headers: Record<string, SchemaObject> = {};
  for (const [name, header] of Object.entries(given)) {
    if (ownHeaders.has(name.toLowerCase())) continue;
    const [found, pointer] = followReference(header, `${at}/${escapeStep(name)}`, scope);
    if (found === undefined) continue;
    headers[name] = {
      ...(typeof found.description === 'string' ? { description: found.description } : {}),
      ...(found.required === true ? { required: true } : {}),
      ...(found.deprecated === true ? { deprecated: true } : {}),
      ...(found.schema === undefined && found.content !== undefined
        ? { content: translateContent(found.content, `${pointer}/content`, scope) }
        : translateSchemaMembers(found, pointer, scope)),
    };
  }
  return headers;
}
