import { escapeStep, isObject, type SchemaObject } from '../json-pointer.ts';
import type { CarriedComponent, ComponentLibrary, Direction } from './component-library.ts';
import type { ContractDocument, FoundOperation } from './contract-document.ts';
import { followReference, translateContent, translateSchemaMembers } from './translate-content.ts';
import { translateParameters } from './translate-parameters.ts';
import type { ReportInDocument, TranslationScope } from './translate-schema.ts';

/** An operation of another document, translated for the served document. */
export interface ContractOperation {
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  readonly parameters: readonly SchemaObject[];
  /** A pattern: query parameters with matching names are accepted undeclared (`x-query-names`). */
  readonly queryNames: string | undefined;
  readonly requestBody: SchemaObject | undefined;
  /** By status, without the gateway's own responses. */
  readonly responses: Readonly<Record<string, SchemaObject>>;
  /** The names of the components that the operation refers to. */
  readonly uses: ReadonlySet<string>;
  readonly components: ReadonlyMap<string, CarriedComponent>;
}

/** Translates an operation and reports everything that cannot be served as declared. */
export function translateOperation(
  found: FoundOperation,
  document: ContractDocument,
  library: ComponentLibrary,
  method: string,
  report: ReportInDocument,
): ContractOperation {
  const uses = new Set<string>();
  const scopeOf = (direction: Direction): TranslationScope => ({ document, library, direction, uses, report });
  const { operation, pointer } = found;
  return Object.freeze({
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    tags: Array.isArray(operation.tags) ? operation.tags.filter((tag) => typeof tag === 'string' && tag !== '') : [],
    isDeprecated: operation.deprecated === true,
    parameters: translateParameters(found, scopeOf('request')),
    queryNames: readPattern(operation['x-query-names'], `${pointer}/x-query-names`, report),
    requestBody: translateRequestBody(operation.requestBody, `${pointer}/requestBody`, method, scopeOf('request')),
    responses: translateResponses(operation.responses, `${pointer}/responses`, scopeOf('response')),
    uses,
    components: library.components,
  });
}

function readPattern(given: unknown, at: string, report: ReportInDocument): string | undefined {
  if (given === undefined) return undefined;
  try {
    if (typeof given === 'string') new RegExp(given, 'u');
    else report(at, 'must be a regular expression as a string');
  } catch {
    report(at, 'is not a regular expression (ECMA-262)');
  }
  return typeof given === 'string' ? given : undefined;
}

/** Drops the optional body of a GET operation: OpenAPI 3.0 has none. */
function translateRequestBody(
  given: unknown,
  at: string,
  method: string,
  scope: TranslationScope,
): SchemaObject | undefined {
  if (given === undefined) return undefined;
  const [body, pointer] = followReference(given, at, scope);
  if (body === undefined) return undefined;
  if (method === 'get') {
    if (body.required === true) scope.report(pointer, 'cannot be expressed: GET has no body in OpenAPI 3.0');
    return undefined;
  }
  const content = translateContent(body.content, `${pointer}/content`, scope);
  if (Object.keys(content).length === 0) {
    scope.report(`${pointer}/content`, 'must name at least one media type');
    return undefined;
  }
  return {
    ...(typeof body.description === 'string' ? { description: body.description } : {}),
    ...(body.required === true ? { required: true } : {}),
    content,
  };
}

/**
 * Returns the responses of an operation by status, without links, which lead to operations of the other document, and
 * without the headers that the gateway sets.
 */
function translateResponses(
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
