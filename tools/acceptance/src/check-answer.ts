import ajvDraft04 from 'ajv-draft-04';
import ajvFormats from 'ajv-formats';
import { findHeaderFaults, namesOfDeclarable } from './check-headers.ts';
import { createPathFinder, type OpenApiDocument, type OperationObject, type ResponseObject } from './contract-paths.ts';

/** What came back, as far as a contract speaks of it. */
export interface SeenAnswer {
  readonly method: string;
  /** As it was asked for, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where the body was left to the caller: it is not checked then. */
  readonly text: string | undefined;
}

/** Throws with all that is wrong when an answer is not one that the contract allows. */
export type CheckAnswer = (answer: SeenAnswer) => void;

/** What the contract says of an answer. */
export interface AnswerVerdict {
  /** Undefined where nothing is declared. */
  readonly operationId: string | undefined;
  readonly status: number;
  /** Where the contract lists the status: `200`, `4XX` or `default`. */
  readonly listedAs: string;
  readonly media: string;
  /** Names of the headers that a contract declares by response, in lower case and in order. */
  readonly headers: readonly string[];
  /** Empty when it is as declared. */
  readonly faults: readonly string[];
}

/**
 * Holds answers against one server's contract: status, media type, body, and what every problem and answer carries.
 * @param tell is given the verdict on every answer, before a bad one is thrown
 */
export function createAnswerCheck(document: OpenApiDocument, tell?: (verdict: AnswerVerdict) => void): CheckAnswer {
  const findPath = createPathFinder(document);
  const validateBody = createBodyValidator(document);

  return (answer) => {
    const { method, path, status, headers, text } = answer;
    const faults: string[] = [];
    const found = findPath(path);
    const verb = method.toLowerCase();
    // What is switched off is in no document: the server has no such operation then.
    const declared = found?.item[verb === 'head' ? 'get' : verb];
    const operation = isNoRoute(answer, declared) ? undefined : declared;
    const listedAs = listingOf(operation, status);
    const listed = operation?.responses[listedAs];
    const media = mediaTypeOf(headers.get('Content-Type'));

    if (!headers.get('X-Request-Id')) faults.push('it has no X-Request-Id');
    if (listed !== undefined && !isAnything(listed, media)) faults.push(...findHeaderFaults(listed, headers));
    if (headers.get('X-Content-Type-Options') !== 'nosniff') faults.push('it lets browsers sniff its type');
    if (operation === undefined && status < 400 && !(verb === 'options' && status === 204)) {
      faults.push(`the contract has no ${method} ${found?.template ?? path}, so this must be a refusal`);
    }
    if (operation !== undefined && !isListed(listed, listedAs, status)) {
      faults.push(`the contract lists no ${status} for ${operation.operationId}`);
    }
    if (status >= 400 && listed?.content?.['application/json'] === undefined && !isAnything(listed, media)) {
      if (media !== 'application/problem+json') faults.push(`a refusal is application/problem+json, not ${media}`);
      else if (verb !== 'head' && text !== undefined) faults.push(...validateProblem({ ...answer, text }));
    }
    const content = listed?.content;
    if (content !== undefined && verb !== 'head' && !isAnything(listed, media)) {
      if (content[media] === undefined) faults.push(`${media} is none of ${Object.keys(content).join(', ')}`);
      else if (/json\b/.test(media) && text !== undefined) {
        const pointer = [...(found?.pointer ?? []), verb, 'responses', listedAs, 'content', media, 'schema'];
        faults.push(...validateBody(listed?.pointer ? [...listed.pointer, 'content', media, 'schema'] : pointer, text));
      }
    }
    if (verb === 'head' && text) faults.push('an answer to HEAD has a body');
    tell?.({
      ...{ operationId: operation?.operationId, status, listedAs, media, faults },
      headers: namesOfDeclarable(headers),
    });
    if (faults.length > 0) {
      throw new Error(`${method} ${path} → ${status}: ${faults.join('; ')}\n${text?.slice(0, 2_000) ?? ''}`);
    }
  };

  function validateProblem({ status, headers, text }: SeenAnswer & { readonly text: string }): string[] {
    const faults = validateBody(['components', 'schemas', 'Problem'], text);
    if (faults.length > 0) return faults;
    const problem = JSON.parse(text) as { status: number; request_id: string };
    if (problem.status !== status) faults.push(`the body says ${problem.status}`);
    if (problem.request_id !== headers.get('X-Request-Id')) faults.push('the body names another request id');
    return faults;
  }
}

/** The problem of a path that no operation has; where there is no body, a 404 that the operation does not list. */
function isNoRoute({ status, text }: SeenAnswer, declared: OperationObject | undefined): boolean {
  if (status !== 404) return false;
  return text ? text.includes('"route_not_found"') : declared?.responses[404] === undefined;
}

/** A `default` stands for the statuses that it names; one that names none stands for every error, or for anything. */
function isListed(response: ResponseObject | undefined, listedAs: string, status: number): boolean {
  if (response === undefined || listedAs !== 'default') return response !== undefined;
  return response['x-statuses']?.includes(status) ?? (status >= 400 || response.content?.['*/*'] !== undefined);
}

/** An exact status before a range of them, else `default` (OpenAPI 3.0, Responses Object). */
function listingOf(operation: OperationObject | undefined, status: number): string {
  const names = [String(status), `${Math.floor(status / 100)}XX`];
  return names.find((name) => operation?.responses[name] !== undefined) ?? 'default';
}

/** What is passed on as it came, of whatever media type. */
function isAnything(response: ResponseObject | undefined, media: string): boolean {
  return response?.content?.['*/*'] !== undefined && response.content[media] === undefined;
}

/** Validates against the schema at a place in the document. Compiled once for each place. */
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

/** What is only ever written must be in no answer: its schema becomes one that nothing fits. */
function forbidWriteOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidWriteOnly);
  if (typeof value !== 'object' || value === null) return value;
  if ((value as { writeOnly?: unknown }).writeOnly === true) return { not: {} };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, forbidWriteOnly(member)]));
}

/** Without the character set, which the contract does not speak of. */
function mediaTypeOf(header: string | null): string {
  const parts = (header ?? 'nothing').split(';').map((part) => part.trim().toLowerCase());
  return parts.filter((part) => !part.startsWith('charset=') && !part.startsWith('version=')).join(';');
}
