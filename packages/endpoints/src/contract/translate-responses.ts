import { escapeStep, isObject, type SchemaObject } from '../json-pointer.ts';
import { followReference, translateContent, translateSchemaMembers } from './translate-content.ts';
import type { TranslationScope } from './translate-schema.ts';

/**
 * Returns the responses of an operation by status, without links, which lead to operations of the other document, and
 * without the headers that the gateway sets.
 */
export function translateResponses(
  given: unknown,
  at: string,
  scope: TranslationScope,
): Readonly<Record<string, SchemaObject>> {
  if (given === undefined) return {};
  if (!isObject(given)) {
    scope.report(at, 'must be an object with statuses');
    return {};
  }
  const responses: Record<string, SchemaObject> = {};
  for (const [status, response] of Object.entries(given)) {
    const here = `${at}/${escapeStep(status)}`;
    if (status.startsWith('x-') || /^1(\d\d|XX)$/i.test(status)) continue;
    if (!/^([2-5]\d\d|[2-5]XX|default)$/.test(status)) {
      scope.report(here, `"${status}" is not a status: write 200, 2XX or default`);
      continue;
    }
    const [found, pointer] = followReference(response, here, scope);
    if (found !== undefined) responses[status] = translateResponse(found, pointer, scope);
  }
  return responses;
}

function translateResponse(
  given: Readonly<Record<string, unknown>>,
  at: string,
  scope: TranslationScope,
): SchemaObject {
  const headers = translateHeaders(given.headers, `${at}/headers`, scope);
  return {
    description:
      typeof given.description === 'string' && given.description !== '' ? given.description : 'The response.',
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(given.content === undefined ? {} : { content: translateContent(given.content, `${at}/content`, scope) }),
  };
}

const gatewayHeaders: ReadonlySet<string> = new Set([
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
    if (gatewayHeaders.has(name.toLowerCase())) continue;
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
