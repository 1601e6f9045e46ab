import ajvDraft04 from 'ajv-draft-04';
import ajvFormats from 'ajv-formats';
import { createPathFinder, type OpenApiDocument, type OperationObject, type ResponseObject } from './contract-paths.ts';

/** The parts of a response that a contract describes. */
export interface SeenResponse {
  readonly method: string;
  /** The requested path, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the body was not read; it is not checked then. */
  readonly text: string | undefined;
}

/** Throws all faults of a response that the contract does not allow. */
export type CheckResponse = (reply: SeenResponse) => void;

/** The result of a check. */
export interface ResponseVerdict {
  /** Undefined for an undeclared operation. */
  readonly operationId: string | undefined;
  readonly status: number;
  /** The key of the response in the contract: `200`, `4XX` or `default`. */
  readonly listedAs: string;
  readonly media: string;
  /** The headers that contracts declare by response, in lower case and sorted. */
  readonly headers: readonly string[];
  /** Empty for a response as declared. */
  readonly faults: readonly string[];
}

/**
 * Returns a check of responses against a contract: status, media type, body, headers, and the members of every problem.
 * @param report receives the verdict on every response before its faults are thrown
 */
export function createResponseCheck(
  document: OpenApiDocument,
  report?: (verdict: ResponseVerdict) => void,
): CheckResponse {
  const findPath = createPathFinder(document);
  const validateBody = createBodyValidator(document);
  const hasODataErrors = document.components?.schemas?.ODataError !== undefined;

  return (reply) => {
    const { method, path, status, headers, text } = reply;
    const faults: string[] = [];
    const found = findPath(path);
    const verb = method.toLowerCase();
    // A disabled operation is in no document: the server does not have it.
    const declared = found?.item[verb === 'head' ? 'get' : verb];
    const operation = isNoRoute(reply, declared) ? undefined : declared;
    const listedAs = listingOf(operation, status);
    const listed = operation?.responses[listedAs];
    const media = mediaTypeOf(headers.get('Content-Type'));

    if (!headers.get('X-Request-Id')) faults.push('X-Request-Id is missing');
    if (listed !== undefined && !isAnything(listed, media)) faults.push(...findHeaderFaults(listed, headers));
    if (headers.get('X-Content-Type-Options') !== 'nosniff') faults.push('X-Content-Type-Options is not nosniff');
    if (operation === undefined && status < 400 && !(verb === 'options' && status === 204)) {
      faults.push(`the contract has no ${method} ${found?.template ?? path}, so the status must be an error`);
    }
    if (operation !== undefined && !isListed(listed, listedAs, status)) {
      faults.push(`the contract lists no ${status} for ${operation.operationId}`);
    }
    const isPage = media === 'text/html' && listed?.content?.[media] !== undefined;
    if (status >= 400 && listed?.content?.['application/json'] === undefined && !isPage && !isAnything(listed, media)) {
      const form =
        operation === undefined && hasODataErrors && /^\/v2\/(?:StaffMembers|\$batch$)/.test(path)
          ? 'json'
          : 'problem+json';
      if (media !== `application/${form}`) faults.push(`an error must be application/${form}, not ${media}`);
      else if (verb !== 'head' && text !== undefined) {
        const schema = ['components', 'schemas', 'ODataError'];
        faults.push(...(form === 'json' ? validateBody(schema, text) : validateProblem({ ...reply, text })));
      }
    }
    const content = listed?.content;
    if (content !== undefined && verb !== 'head' && !isAnything(listed, media)) {
      if (content[media] === undefined) faults.push(`${media} is not one of ${Object.keys(content).join(', ')}`);
      else if (/[/+]json\b/.test(media) && text !== undefined) {
        const pointer = [...(found?.pointer ?? []), verb, 'responses', listedAs, 'content', media, 'schema'];
        faults.push(...validateBody(listed?.pointer ? [...listed.pointer, 'content', media, 'schema'] : pointer, text));
      }
    }
    if (verb === 'head' && text) faults.push('a response to HEAD has a body');
    report?.({
      ...{ operationId: operation?.operationId, status, listedAs, media, faults },
      headers: namesOfDeclarable(headers),
    });
    if (faults.length > 0) {
      throw new Error(`${method} ${path} → ${status}: ${faults.join('; ')}\n${text?.slice(0, 2_000) ?? ''}`);
    }
  };

  function validateProblem({ status, headers, text }: SeenResponse & { readonly text: string }): string[] {
    const faults = validateBody(['components', 'schemas', 'Problem'], text);
    if (faults.length > 0) return faults;
    const problem = JSON.parse(text) as { status: number; request_id: string };
    if (problem.status !== status) faults.push(`the status in the body is ${problem.status}`);
    if (problem.request_id !== headers.get('X-Request-Id')) faults.push('the request id in the body differs');
    return faults;
  }
}

/** Returns whether the response is the 404 of an unknown path; without a body, a 404 that the operation does not list. */
function isNoRoute({ status, text }: SeenResponse, declared: OperationObject | undefined): boolean {
  if (status !== 404) return false;
  return text ? text.includes('"route_not_found"') : declared?.responses[404] === undefined;
}

/** A `default` covers the statuses that it lists; without a list it covers every error, or every status for any media type. */
function isListed(response: ResponseObject | undefined, listedAs: string, status: number): boolean {
  if (response === undefined || listedAs !== 'default') return response !== undefined;
  return response['x-statuses']?.includes(status) ?? (status >= 400 || response.content?.['*/*'] !== undefined);
}

/** Returns the exact status, else its range, else `default` (OpenAPI 3.0, Responses Object). */
function listingOf(operation: OperationObject | undefined, status: number): string {
  const names = [String(status), `${Math.floor(status / 100)}XX`];
  return names.find((name) => operation?.responses[name] !== undefined) ?? 'default';
}

/** Returns whether the response is passed through with any media type. */
function isAnything(response: ResponseObject | undefined, media: string): boolean {
  return response?.content?.['*/*'] !== undefined && response.content[media] === undefined;
}

/** Returns a validator for the schema at a place in the document; each schema is compiled once. */
function createBodyValidator(document: OpenApiDocument): (pointer: readonly string[], text: string) => string[] {
  const ajv = new ajvDraft04.default({ strict: false, allErrors: true, validateSchema: false });
  ajvFormats.default(ajv);
  ajv.addSchema(forbidWriteOnly(document) as object, 'contract');
  return (pointer, text) => {
    const ref = `contract#${pointer.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
    const validate = ajv.getSchema(ref);
    if (validate === undefined) return [`the contract has no schema at ${ref}`];
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ['the body is not JSON'];
    }
    if (validate(body)) return [];
    return (validate.errors ?? []).slice(0, 10).map((error) => `body${error.instancePath} ${error.message}`);
  };
}

/** Replaces write-only schemas by one that rejects everything: responses must not contain them. */
function forbidWriteOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidWriteOnly);
  if (typeof value !== 'object' || value === null) return value;
  if ((value as { writeOnly?: unknown }).writeOnly === true) return { not: {} };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, forbidWriteOnly(member)]));
}

/** Returns the media type without parameters that contracts do not declare. */
function mediaTypeOf(header: string | null): string {
  const parts = (header ?? 'nothing').split(';').map((part) => part.trim().toLowerCase());
  return parts.filter((part) => !part.startsWith('charset=') && !part.startsWith('version=')).join(';');
}

/** Headers of HTTP, of intermediaries, of security and of CORS, which contracts do not declare by response. */
const undeclarable =
  /^(access-control-.*|cache-control|connection|content-(encoding|length|security-policy|type)|cross-origin-.*|date|keep-alive|permissions-policy|proxy-status|referrer-policy|strict-transport-security|transfer-encoding|vary|via|x-content-type-options|x-frame-options)$/;

/** Returns the headers that the contract must declare, in lower case and sorted. */
function namesOfDeclarable(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => !undeclarable.test(name)).sort();
}

/** Returns undeclared headers, and required ones that are missing. */
function findHeaderFaults({ headers: declared = {} }: ResponseObject, sent: Headers): string[] {
  const names = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
  return [
    ...namesOfDeclarable(sent)
      .filter((name) => !names.has(name))
      .map((name) => `the header ${name} is not declared`),
    ...Object.entries(declared)
      .filter(([name, { required }]) => required === true && !sent.has(name))
      .map(([name]) => `the required header ${name} is missing`),
  ];
}
