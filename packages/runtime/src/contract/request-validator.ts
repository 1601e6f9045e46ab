import { didYouMean } from '../config/did-you-mean.ts';
import { createValidationProblem, type Fault } from '../problem/index.ts';
import { createAdmitCheck } from './admit-check.ts';
import { createBodyFaults, type DescribeBodyFaults, type Finding, hintsMax } from './body-faults.ts';
import { loadValidator } from './load-validator.ts';
import { createNumberTextCheck, type ValuesByPart } from './number-texts.ts';
import type { OpenApiDocument, ParameterObject } from './openapi.ts';
import { createQueryObjects, type QueryObjects } from './query-objects.ts';
import { reachableComponents } from './reachable-components.ts';
import { type ParsedBody, takesAnyBody } from './request-body.ts';
import type { Route } from './route.ts';

/** The parts of a request that the contract speaks of; validated values are coerced in place. */
export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

export type CheckRequest = (req: CheckedRequest, parts: RequestParts, body: ParsedBody | undefined) => RequestParts;

export interface CheckedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly originalUrl: string;
}

/**
 * express-openapi-validator's request validator as the judge of what the contract allows. This is the only file that
 * knows its inside: it is called without its route lookup, on an object of ours instead of Express's request, and
 * with a document that holds no paths, since it compiles all of it into every schema. What is certainly right is let
 * through without it, by an admit-check that is held to the same verdicts and values.
 */
export function createRequestChecks(
  document: OpenApiDocument,
  createAdmit: typeof createAdmitCheck = createAdmitCheck,
): (route: Route, keepsTexts?: boolean) => CheckRequest {
  const judges = createJudges(document);
  const byShape = new Map<string, CheckRequest>();
  const shared = (route: Route, keepsTexts: boolean): CheckRequest => {
    const shape = JSON.stringify([route.parameters, route.requestBody, keepsTexts]);
    let check = byShape.get(shape);
    if (check === undefined) {
      check = createCheck(judges, document, route, `shape ${byShape.size}`, createAdmit, keepsTexts);
      byShape.set(shape, check);
    }
    return check;
  };
  return (route, keepsTexts = false) => {
    if (route.parameters.length === 0 && route.requestBody === undefined) return checkNothing;
    // On the first request: of ten thousand routes few may ever be called, and those alike share what is compiled.
    let check: CheckRequest | undefined;
    return (req, parts, body) => {
      check ??= shared(route, keepsTexts);
      return check(req, parts, body);
    };
  };
}

interface Judge {
  /** Throws the faults of a request; `components` are those that the operation reaches. */
  validate(request: object, components: object): void;
}

/** The one for such a body, or for a request without one; made when one first comes. */
type Judges = (body?: ParsedBody) => Judge;

/** Of a longer body the first fault is told: gathering all of them takes time by the square of their number. */
const everyFaultBytesMax = 8 * 1024;

function createJudges(document: OpenApiDocument): Judges {
  const create = (coerceTypes: false | 'array', allErrors = true): Judge => {
    const { RequestValidator } = loadValidator();
    const whole = {
      openapi: document.openapi,
      info: document.info,
      paths: {},
      components: structuredClone(document.components ?? {}) as object,
    };
    const validator = new RequestValidator(whole as never, { ...validatorOptions, coerceTypes, allErrors } as never);
    return {
      validate(request, components) {
        // It compiles all of them into every operation: with the whole document that takes long, and much memory.
        whole.components = components;
        validator.validate(request as never, undefined as never, noop);
      },
    };
  };
  const made = new Map<string, Judge>();
  return (body) => {
    // A form has text alone: its numbers and lists are told by the schema.
    const isForm = body?.mediaType === formType;
    const isLong = (body?.length ?? 0) > everyFaultBytesMax;
    const name = `${isForm} ${isLong}`;
    const judge = made.get(name) ?? create(isForm ? 'array' : false, !isLong);
    made.set(name, judge);
    return judge;
  };
}

/** Of an operation that takes nothing: only an unknown parameter can be wrong. */
const checkNothing: CheckRequest = (_req, parts) => {
  const faults = takeUnknownParameters(parts, noNames);
  if (faults.length > 0) throw createValidationProblem(faults);
  return parts;
};

/** Of an operation that takes any query, and any body or none. */
const checkAnything: CheckRequest = (_req, parts) => parts;

const noNames: ReadonlySet<string> = new Set();

const validatorOptions = {
  useDefaults: true,
  strict: false,
  // A member called `constructor` is absent unless it was sent.
  ownProperties: true,
  strictNumbers: true,
  validateSchema: false,
  validateFormats: true,
  allowUnknownQueryParameters: false,
  formats: {},
  ajvFormats: { mode: 'fast' },
  logger: false,
};

/** The check of all operations with the same parameters and body; `shape` is the name that the judge caches it under. */
function createCheck(
  judges: Judges,
  document: OpenApiDocument,
  route: Route,
  shape: string,
  createAdmit: typeof createAdmitCheck,
  keepsTexts: boolean,
): CheckRequest {
  const parameters = route.parameters.filter((p) => !takesAnyName(p));
  const takesAnyQuery = parameters.length < route.parameters.length;
  const queryNames = new Set(parameters.filter((p) => p.in === 'query').map((p) => p.name));
  const headerNames = new Map(parameters.filter((p) => p.in === 'header').map((p) => [p.name.toLowerCase(), p.name]));
  const requestBody = route.requestBody && !takesAnyBody(route.requestBody) ? route.requestBody : undefined;
  if (parameters.length === 0 && requestBody === undefined) return takesAnyQuery ? checkAnything : checkNothing;
  const objects = createQueryObjects(document, parameters);
  const admits = objects === undefined ? createAdmit(document, parameters, takesAnyQuery) : undefined;
  const schema = {
    parameters: structuredClone(objects?.parameters ?? parameters),
    ...(requestBody === undefined ? {} : { requestBody: structuredClone(requestBody) }),
    responses: {},
  };
  const checkNumberTexts = createNumberTextCheck(
    document,
    parameters,
    requestBody?.content[formType]?.schema,
    keepsTexts,
  );
  const bodyless = withoutBody(schema);
  const components = structuredClone(reachableComponents(document, schema));
  const method = route.method.toUpperCase();
  const bodyFaults = new Map<string, DescribeBodyFaults>();
  const words: FaultWords = {
    objects,
    headerNames,
    exampleOf: (place, name) => {
      const found = parameters.find((p) => p.in === place && p.name.toLowerCase() === name.toLowerCase());
      return found?.example ?? (found?.schema as { example?: unknown } | undefined)?.example;
    },
    bodyFaults(mediaType) {
      let describe = bodyFaults.get(mediaType);
      if (describe === undefined) {
        describe = createBodyFaults(document, requestBody?.content[mediaType]?.schema);
        bodyFaults.set(mediaType, describe);
      }
      return describe;
    },
  };

  return (req, parts, body) => {
    const isBodyChecked = body !== undefined && requestBody !== undefined && isCheckedType(body.mediaType);
    if (admits !== undefined && !isBodyChecked && admits(req, parts)) return parts;
    objects?.gather(parts.query);
    const judge = isBodyChecked ? judges(body) : judges();
    const undeclared = takesAnyQuery ? takeUndeclared(parts, queryNames) : undefined;
    const faults = takesAnyQuery ? [] : takeUnknownParameters(parts, queryNames);
    const headers: Record<string, unknown> = Object.create(null);
    if (isBodyChecked) headers['content-type'] = body.mediaType;
    for (const name of headerNames.keys()) if (Object.hasOwn(req.headers, name)) headers[name] = req.headers[name];
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
        schema: isBodyChecked ? schema : bodyless,
        pathParams: parts.path,
      },
    };
    const isForm = isBodyChecked && body.mediaType === formType;
    const byPart = (): ValuesByPart => ({
      query: { ...request.query },
      params: { ...request.params },
      headers: { ...headers },
      body: isForm ? { '': request.body } : {},
    });
    const texts = checkNumberTexts && structuredClone(byPart());
    try {
      judge.validate(request, components);
    } catch (error) {
      const found = readFaults(error, words, body?.mediaType ?? '', parts.body);
      faults.push(...found.map((fault) => withRepetition(fault, parts.query)));
    }
    if (texts !== undefined && faults.length === 0) {
      for (const fault of checkNumberTexts?.(texts, byPart()) ?? []) {
        const placed = placeFault(fault, words);
        faults.push('keyword' in placed ? { pointer: placed.pointer, detail: placed.message } : placed);
      }
    }
    parts.query = undeclared === undefined ? request.query : { ...undeclared, ...request.query };
    parts.path = request.params;
    parts.body = request.body;
    if (faults.length > 0) throw createValidationProblem(faults);
    return parts;
  };
}

/**
 * Encodes what the validator would reject in a query: a plus, which is a space where queries are written as forms are,
 * and `:`, `@`, `/` and `?`, which RFC 3986 §3.4 allows.
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

const noop = () => {};

const formType = 'application/x-www-form-urlencoded';

/** JSON, text and forms are held against their schema; parts, archives and the like are bytes, whatever is in them. */
function isCheckedType(mediaType: string): boolean {
  return /^text\/|[/+]json$/.test(mediaType) || mediaType === formType;
}

/** The body was found absent and optional before: the judge would ask for a media type. */
function withoutBody<S extends { requestBody?: unknown }>(schema: S): S {
  if (schema.requestBody === undefined) return schema;
  const { requestBody: _, ...rest } = schema;
  return rest as S;
}

/** A name that came twice is a list to the judge, which then asks for the type of one. */
function withRepetition(fault: Fault, query: Readonly<Record<string, unknown>>): Fault {
  const isRepeated = fault.parameter !== undefined && Array.isArray(query[fault.parameter]);
  return isRepeated && /^must be (?!array)/.test(fault.detail)
    ? { ...fault, detail: 'is given more than once' }
    : fault;
}

/** The judge names only the first unknown parameter and then stops: they are all taken out and named here. */
function takeUnknownParameters(parts: RequestParts, known: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  for (const name of Object.keys(parts.query)) {
    if (known.has(name)) continue;
    delete parts.query[name];
    const hint = faults.length < hintsMax ? didYouMean(name, [...known]) : '';
    faults.push({ parameter: name, detail: `is not a parameter of this operation${hint && `.${hint}`}` });
  }
  return faults;
}

/** The judge knows no names but declared ones: the others wait beside it. */
function takeUndeclared(parts: RequestParts, known: ReadonlySet<string>): Record<string, unknown> {
  const undeclared: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(parts.query)) {
    if (known.has(name)) continue;
    undeclared[name] = parts.query[name];
    delete parts.query[name];
  }
  return undeclared;
}

/** OpenAPI's way to say "any parameters": an open object whose members are parameters of their own (style `form`). */
function takesAnyName({ in: place, style = 'form', explode = true, schema }: ParameterObject): boolean {
  if (place !== 'query' || style !== 'form' || explode !== true) return false;
  const { type, properties, additionalProperties } = (schema ?? {}) as Record<string, unknown>;
  return type === 'object' && properties === undefined && additionalProperties === true;
}

interface ValidatorFault {
  readonly path?: string;
  readonly message?: string;
  readonly errorCode?: string;
}

/** What the words for faults of an operation are taken from. */
interface FaultWords {
  readonly objects: QueryObjects | undefined;
  /** Of the declared headers, by their names in lower case. */
  readonly headerNames: ReadonlyMap<string, string>;
  /** What a parameter may look like; undefined when the contract shows none. */
  exampleOf(place: string, name: string): unknown;
  bodyFaults(mediaType: string): DescribeBodyFaults;
}

function readFaults(error: unknown, words: FaultWords, mediaType: string, body: unknown): Fault[] {
  const { errors, status } = error as { errors?: readonly ValidatorFault[]; status?: number };
  if (status !== 400 || errors === undefined) throw error;
  const findings: Finding[] = [];
  const faults: Fault[] = [];
  for (const fault of errors) {
    const placed = placeFault(fault, words);
    if ('keyword' in placed) findings.push(placed);
    else faults.push(placed);
  }
  if (findings.length > 0) faults.push(...words.bodyFaults(mediaType)(findings, body));
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const key = JSON.stringify(fault);
    return !seen.has(key) && seen.add(key);
  });
}

function placeFault(
  { path = '', message = 'is not valid', errorCode = '' }: ValidatorFault,
  { objects, headerNames, exampleOf }: FaultWords,
): Fault | Finding {
  const [, part, ...rest] = path.split('/');
  const name = (rest[0] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  const keyword = errorCode.slice(0, Math.max(0, errorCode.indexOf('.')));
  const inPlace = (place: string) => {
    const example = keyword === 'pattern' ? exampleOf(place, name) : undefined;
    return example === undefined ? message : `must have the form of ${String(example)}`;
  };
  switch (part) {
    case 'query':
    case 'params':
      if (rest[1] === undefined) return { parameter: name, detail: inPlace(part === 'params' ? 'path' : part) };
      if (/^\d+$/.test(rest[1])) return { parameter: name, detail: `entry ${Number(rest[1]) + 1} ${message}` };
      return { parameter: objects?.callersName(name, rest[1]) ?? name, detail: message };
    case 'headers':
      return { header: headerNames.get(name) ?? name, detail: inPlace('header') };
    default:
      return { pointer: rest.length === 0 ? '' : `/${rest.join('/')}`, keyword, message };
  }
}
