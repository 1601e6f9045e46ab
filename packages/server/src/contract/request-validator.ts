import { createSafePattern, PatternTimeError, type SafePattern, startPatternBudget } from '../pattern/safe-pattern.ts';
import { createValidationProblem, Problem } from '../problem/index.ts';
import { WorkError } from './bounded-keywords.ts';
import { createFastBodyCheck } from './fast-body-check.ts';
import { type CheckedRequest, createFastPathCheck, type FastPathCheck } from './fast-path-check.ts';
import { createFieldReader, type FieldRequest, fieldPlaces, withCookiesAsHeaders } from './field-parameters.ts';
import type { HandlerNeeds, RequestParts } from './handler.ts';
import { createNumberTextCheck, type ValuesByPart } from './number-texts.ts';
import { type OpenApiDocument, type ParameterObject, type RequestBodyObject, reachableComponents } from './openapi.ts';
import { createRequestValidators, everyFaultBytesMax, type RequestValidators } from './openapi-validator.ts';
import { createQueryObjects } from './query-objects.ts';
import { formType, type ParsedBody, takesAnyBody } from './request-body.ts';
import { createRequestFaults, takeUnknownParameters } from './request-faults.ts';
import type { Route } from './route.ts';

/** Validates and coerces the values of a request. @throws Problem `validation_failed`. */
export type CheckRequest = (
  req: CheckedRequest & FieldRequest,
  parts: RequestParts,
  body: ParsedBody | undefined,
) => RequestParts;

/**
 * Returns the checks of operations. express-openapi-validator decides; requests that are certainly valid skip it through a
 * fast-path check, which tests hold to the same decisions and values.
 */
export function createRequestChecks(
  document: OpenApiDocument,
  createFastPath: typeof createFastPathCheck = createFastPathCheck,
): (route: Route, needs?: HandlerNeeds) => CheckRequest {
  // Compiled on first use: most operations of a large document are never called, and similar ones share a check.
  let validators: RequestValidators | undefined;
  const byShape = new Map<string, CheckRequest>();
  const checkOf = (route: Route, { forwardsTexts = false, readsFields = false }: HandlerNeeds): CheckRequest => {
    const { parameters, requestBody, operation } = route;
    const key = JSON.stringify([parameters, requestBody, operation['x-query-names'], forwardsTexts, readsFields]);
    let check = byShape.get(key);
    if (check === undefined) {
      const shape = `shape ${byShape.size}`;
      check = createCheck(document, route, createFastPath, readsFields, (declared) => {
        validators ??= createRequestValidators(document);
        return createFullCheck(validators, document, route, declared, shape, forwardsTexts);
      });
      byShape.set(key, check);
    }
    return check;
  };
  return (route, needs = {}) => {
    if (route.parameters.length === 0 && route.requestBody === undefined) return checkNothing;
    let check: CheckRequest | undefined;
    return (req, parts, body) => {
      check ??= checkOf(route, needs);
      return check(req, parts, body);
    };
  };
}

/** The check of an operation without parameters and body: only an unknown parameter can be wrong. */
const checkNothing: CheckRequest = (_req, parts) => {
  const faults = takeUnknownParameters(parts, noNames);
  if (faults.length > 0) throw createValidationProblem(faults);
  return parts;
};

/** The check of an operation that accepts any query, and any body or none. */
const checkAnything: CheckRequest = (_req, parts) => parts;

const noNames: ReadonlySet<string> = new Set();

/** The declarations that a request is checked against. */
interface Declared {
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
  readonly takesAnyQuery: boolean;
}

/** Returns the check of all operations with the same parameters and body; the full check is created on first use. */
function createCheck(
  document: OpenApiDocument,
  route: Route,
  createFastPath: typeof createFastPathCheck,
  readsFields: boolean,
  createFull: (declared: Declared) => CheckRequest,
): CheckRequest {
  const parameters = route.parameters.filter((p) => !takesAnyName(p));
  const takesAnyQuery = parameters.length < route.parameters.length;
  const requestBody = route.requestBody && !takesAnyBody(route.requestBody) ? route.requestBody : undefined;
  if (parameters.length === 0 && requestBody === undefined) return takesAnyQuery ? checkAnything : checkNothing;
  const readFields = createFieldReader(parameters, readsFields);
  const fastPath = createFastPath(document, parameters, takesAnyQuery, readsFields);
  const fitsBody = fastPath && requestBody && createFastBodyCheck(document, requestBody);
  let check: CheckRequest | undefined;
  const checkParts: CheckRequest = (req, parts, body) => {
    const checkedBody = requestBody !== undefined && isCheckedType(body?.mediaType ?? '') ? body : undefined;
    const isBodyValid = checkedBody === undefined || fitsBody?.(checkedBody) === true;
    if (fastPath !== undefined && isBodyValid && passesInTime(fastPath, req, parts)) return parts;
    check ??= createFull({ parameters, requestBody, takesAnyQuery });
    return check(req, parts, checkedBody);
  };
  if (readFields === undefined) return checkParts;
  return (req, parts, body) => {
    readFields(req, parts);
    return checkParts(req, parts, body);
  };
}

/** Returns the check by express-openapi-validator; `shape` is its cache key there. */
function createFullCheck(
  validators: RequestValidators,
  document: OpenApiDocument,
  route: Route,
  { parameters: declared, requestBody, takesAnyQuery }: Declared,
  shape: string,
  forwardsTexts: boolean,
): CheckRequest {
  const undeclaredNames = takesAnyQuery ? /^/ : createNamePattern(route);
  const fields = fieldPlaces(declared);
  const parameters = withCookiesAsHeaders(declared);
  const queryNames = new Set(parameters.filter((p) => p.in === 'query').map((p) => p.name));
  const objects = createQueryObjects(document, parameters);
  const schema = {
    parameters: structuredClone(objects?.parameters ?? parameters),
    ...(requestBody === undefined ? {} : { requestBody: structuredClone(requestBody) }),
    responses: {},
  };
  const components = structuredClone(
    reachableComponents({ ...document, components: validators.bounded.components }, schema),
  );
  const listsAll = validators.bounded.bound(schemasOf(schema), components);
  const checkNumberTexts = createNumberTextCheck(
    document,
    parameters,
    requestBody?.content[formType]?.schema,
    forwardsTexts,
  );
  const bodyless = withoutBody(schema);
  const method = route.method.toUpperCase();
  const requestFaults = createRequestFaults(document, parameters, fields, requestBody, objects);

  return (req, parts, body) => {
    objects?.gather(parts.query);
    const undeclared = undeclaredNames && takeUndeclared(parts, queryNames, undeclaredNames);
    const faults = takesAnyQuery ? [] : takeUnknownParameters(parts, queryNames);
    const headers: Record<string, unknown> = Object.create(null);
    if (body !== undefined) headers['content-type'] = body.mediaType;
    for (const [key, { place, name }] of fields) {
      const value = parts[place] === undefined ? ownHeader(req, key) : parts[place][name];
      if (value !== undefined) headers[key] = value;
    }
    const request = {
      method,
      path: shape,
      originalUrl: withEncodedQuery(req.originalUrl),
      headers,
      params: parts.path,
      query: parts.query,
      body: parts.body,
      openapi: {
        expressRoute: shape,
        schema: body === undefined ? bodyless : schema,
        pathParams: parts.path,
      },
    };
    const operation = { shape, schema: request.openapi.schema, components, listsAll };
    const isForm = body?.mediaType === formType;
    const byPart = (): ValuesByPart => ({
      query: { ...request.query },
      params: { ...request.params },
      headers: { ...headers },
      body: isForm ? { '': request.body } : {},
    });
    const texts = checkNumberTexts && structuredClone(byPart());
    try {
      const length = body === undefined ? 0 : (body.length ?? everyFaultBytesMax);
      validators.of(body).validate(request, operation, length);
    } catch (error) {
      // A schema that only refers to itself, or a very deep body, overflows the stack.
      if (error instanceof WorkError || error instanceof PatternTimeError || error instanceof RangeError) {
        throw createCostProblem(error, body !== undefined);
      }
      faults.push(...requestFaults.read(error, parts, body?.mediaType ?? ''));
    }
    if (texts !== undefined && faults.length === 0) {
      for (const fault of checkNumberTexts?.(texts, byPart()) ?? []) faults.push(requestFaults.place(fault));
    }
    parts.query = undeclared === undefined ? request.query : { ...undeclared, ...request.query };
    parts.path = request.params;
    parts.body = request.body;
    for (const [key, { place, name }] of fields) {
      if (parts[place] !== undefined && headers[key] !== undefined) parts[place][name] = headers[key];
    }
    if (faults.length > 0) throw createValidationProblem(faults);
    return parts;
  };
}

/**
 * Encodes what the validator would reject in a query: a plus, which means a space in forms, and `:`, `@`, `/` and `?`,
 * which RFC 3986 §3.4 allows.
 */
function withEncodedQuery(url: string): string {
  const at = url.indexOf('?') + 1;
  if (at === 0 || !/[+:@/?]/.test(url.slice(at))) return url;
  return (
    url.slice(0, at) +
    url
      .slice(at)
      .replaceAll('+', '%20')
      .replaceAll(/[:@/?]/g, encodeURIComponent)
  );
}

function passesInTime(fastPath: FastPathCheck, req: CheckedRequest, parts: RequestParts): boolean {
  startPatternBudget();
  try {
    return fastPath(req, parts);
  } catch (error) {
    throw error instanceof PatternTimeError ? createCostProblem(error, false) : error;
  }
}

/** Returns the schemas of the parameters and the body. */
function schemasOf({
  parameters,
  requestBody,
}: {
  readonly parameters: Route['parameters'];
  readonly requestBody?: RequestBodyObject;
}): unknown[] {
  const contents = [...parameters.map(({ content }) => content), requestBody?.content];
  return [
    ...parameters.map(({ schema }) => schema),
    ...contents
      .flatMap((content) => Object.values((content ?? {}) as RequestBodyObject['content']))
      .map((m) => m.schema),
  ];
}

function createCostProblem(error: Error, isBodyChecked: boolean): Problem {
  const what = isBodyChecked ? 'The body' : 'The parameters';
  const detail = !(error instanceof PatternTimeError)
    ? `${what} took too many steps to check against the schema. Send fewer or less deeply nested values.`
    : `${what} took too long to check against the patterns of the schema. Send shorter texts.`;
  return new Problem('validation_failed', detail, { cause: error });
}

function ownHeader({ headers }: CheckedRequest, name: string): unknown {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** Returns whether a body is checked against its schema: JSON, text and forms are; others are opaque bytes. */
function isCheckedType(mediaType: string): boolean {
  return /^text\/|[/+]json$/.test(mediaType) || mediaType === formType;
}

/** Returns the schema for a request without a body, for which the validator would require a media type. */
function withoutBody<S extends { requestBody?: unknown }>(schema: S): S {
  if (schema.requestBody === undefined) return schema;
  const { requestBody: _, ...rest } = schema;
  return rest as S;
}

/** Removes and returns the undeclared query parameters that an operation accepts: the validator only knows declared ones. */
function takeUndeclared(
  { query }: RequestParts,
  declared: ReadonlySet<string>,
  accepted: Pick<SafePattern, 'test'>,
): Record<string, unknown> {
  const undeclared: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(query)) {
    if (declared.has(name) || !accepted.test(name)) continue;
    undeclared[name] = query[name];
    delete query[name];
  }
  return undeclared;
}

const createNamePattern = ({ operation: { 'x-query-names': pattern } }: Route): SafePattern | undefined =>
  pattern === undefined ? undefined : createSafePattern(pattern, 'u');

/** Returns whether a parameter accepts arbitrary query parameters: an open object whose members are parameters (style `form`). */
function takesAnyName({ in: place, style = 'form', explode = true, schema }: ParameterObject): boolean {
  if (place !== 'query' || style !== 'form' || explode !== true) return false;
  const { type, properties, additionalProperties } = (schema ?? {}) as Record<string, unknown>;
  return type === 'object' && properties === undefined && additionalProperties === true;
}
