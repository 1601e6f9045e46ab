import type { SchemaObject } from '../json-pointer.ts';
import type { CarriedComponent, ComponentLibrary, Direction } from './component-library.ts';
import type { ContractDocument, FoundOperation } from './contract-document.ts';
import { followReference, translateContent } from './translate-content.ts';
import { translateParameters } from './translate-parameters.ts';
import { translateResponses } from './translate-responses.ts';
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
    responses: translateResponses(operation.responses, `${pointer}/responses`, scopeOf('answer')),
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
