import { didYouMean } from '../config/did-you-mean.ts';
import { createSafePattern, PatternTimeError, type SafePattern, startPatternBudget } from '../pattern/index.ts';
import { createValidationProblem, type Fault, faultsMax, Problem } from '../problem/index.ts';
import { type AdmitCheck, createAdmitCheck } from './fast-path-check.ts';
import { createBodyFaults, type DescribeBodyFaults, type Finding, hintsMax } from './body-faults.ts';
import { type Ajv, addBoundedKeywords, boundedOptions, WorkBudget, WorkError } from './bounded-keywords.ts';
import { type BoundedSchemas, createBoundedSchemas } from './bounded-schemas.ts';
import { loadErrorWords, loadValidator } from './openapi-validator.ts';
import { createNumberTextCheck, type ValuesByPart } from './number-texts.ts';
import type { OpenApiDocument, ParameterObject, RequestBodyObject } from './openapi.ts';
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
  // On the first request that needs one: most documents are never asked for all they hold.
  let judges: Judges | undefined;
  const byShape = new Map<string, CheckRequest>();
  const shared = (route: Route, keepsTexts: boolean): CheckRequest => {
    const shape = JSON.stringify([route.parameters, route.requestBody, route.operation['x-query-names'], keepsTexts]);
    let check = byShape.get(shape);
    if (check === undefined) {
      judges ??= createJudges(document);
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

/** The schemas of an operation, as the judge is to hold requests against them. */
interface JudgedOperation {
  /** The name that what is compiled for it is cached under. */
  readonly shape: string;
  readonly schema: object;
  readonly components: object;
  readonly listsAll: boolean;
}

interface Judge {
  /** Throws the faults of a request, all of them where that takes no longer than a short body may. */
  validate(request: JudgedRequest, operation: JudgedOperation, bodyLength: number): void;
}

interface JudgedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Judges {
  /** The one for such a body, or for a request without one; made when one first comes. */
  of(body?: ParsedBody): Judge;
  readonly bounded: BoundedSchemas;
}

/** Of a longer body the first fault is told: the others would take longer to find than the body to parse. */
const everyFaultBytesMax = 8 * 1024;

function createJudges(document: OpenApiDocument): Judges {
  const bounded = createBoundedSchemas(document.components);
  const create = (coerceTypes: false | 'array'): Judge => {
    const budget = new WorkBudget();
    const first = createValidator(document, bounded, { coerceTypes, allErrors: false }, budget);
    let every: OpenValidator | undefined;
    return {
      validate(request, operation, bodyLength) {
        startPatternBudget();
        budget.start(bodyLength);
        first.whole.components = operation.components;
        try {
          first.validator.validate(request as never, undefined as never, noop);
        } catch (error) {
          if (!operation.listsAll || bodyLength > everyFaultBytesMax || statusOf(error) !== 400) throw error;
          every ??= createValidator(document, bounded, { coerceTypes, allErrors: true }, budget);
          startPatternBudget();
          budget.start(bodyLength);
          throw listFaults(every, request, operation) ?? error;
        }
      },
    };
  };
  const made = new Map<string, Judge>();
  return {
    bounded,
    of(body) {
      // A form has text alone: its numbers and lists are told by the schema.
      const isForm = body?.mediaType === formType;
      const judge = made.get(String(isForm)) ?? create(isForm ? 'array' : false);
      made.set(String(isForm), judge);
      return judge;
    },
  };
}

const statusOf = (error: unknown) => (error as { status?: unknown } | undefined)?.status;

/** express-openapi-validator's class, with the members that it keeps to itself. */
interface OpenValidator {
  readonly validator: {
    readonly ajv: Ajv;
    readonly ajvBody: Ajv;
    validate(req: never, res: never, next: () => void): void;
    buildMiddleware(path: string, schema: object, contentType: object, key: string): unknown;
  };
  readonly whole: { components: object };
}

function createValidator(
  document: OpenApiDocument,
  bounded: BoundedSchemas,
  options: { readonly coerceTypes: false | 'array'; readonly allErrors: boolean },
  budget: WorkBudget,
): OpenValidator {
  const { RequestValidator } = loadValidator();
  const whole = {
    openapi: document.openapi,
    info: document.info,
    paths: {},
    components: structuredClone(bounded.components) as object,
  };
  const validator = new RequestValidator(
    whole as never,
    {
      ...validatorOptions,
      ...boundedOptions,
      ...options,
    } as never,
  ) as unknown as OpenValidator['validator'];
  for (const ajv of [validator.ajv, validator.ajvBody]) addBoundedKeywords(ajv, budget, options.allErrors);
  // It compiles all components into every operation: the whole document would take long, and much memory.
  return { validator, whole };
}

/** Checks values once more that were refused, and are coerced by now, to list what is wrong with them. */
function listFaults({ validator, whole }: OpenValidator, request: JudgedRequest, operation: JudgedOperation) {
  const { ajvErrorsToValidatorError, augmentAjvErrors, ContentType } = loadErrorWords();
  const type = ContentType.from(request as never);
  const key = `${operation.shape} ${type.normalize() ?? ''}`;
  if (validator.ajv.getSchema(key) === undefined) {
    whole.components = operation.components;
    validator.buildMiddleware(operation.shape, operation.schema, type, key);
  }
  const errors = [validator.ajv, validator.ajvBody].flatMap((ajv) => {
    const validate = ajv.getSchema(key);
    return validate === undefined || validate(request) ? [] : (validate.errors ?? []);
  });
  return errors.length === 0 ? undefined : ajvErrorsToValidatorError(400, augmentAjvErrors(errors as never));
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
  const undeclaredNames = takesAnyQuery ? /^/ : createNamePattern(route);
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
  const components = structuredClone(
    reachableComponents({ ...document, components: judges.bounded.components }, schema),
  );
  const listsAll = judges.bounded.bound(schemasOf(schema), components);
  const checkNumberTexts = createNumberTextCheck(
    document,
    parameters,
    requestBody?.content[formType]?.schema,
    keepsTexts,
  );
  const bodyless = withoutBody(schema);
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
    if (admits !== undefined && !isBodyChecked && admitsInTime(admits, req, parts)) return parts;
    objects?.gather(parts.query);
    const judge = isBodyChecked ? judges.of(body) : judges.of();
    const undeclared = undeclaredNames && takeUndeclared(parts, queryNames, undeclaredNames);
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
    const operation = { shape, schema: request.openapi.schema, components, listsAll };
    const isForm = isBodyChecked && body.mediaType === formType;
    const byPart = (): ValuesByPart => ({
      query: { ...request.query },
      params: { ...request.params },
      headers: { ...headers },
      body: isForm ? { '': request.body } : {},
    });
    const texts = checkNumberTexts && structuredClone(byPart());
    try {
      judge.validate(request, operation, isBodyChecked ? (body.length ?? everyFaultBytesMax) : 0);
    } catch (error) {
      // A schema that is nothing but itself, or a very deep body, takes more calls than the stack holds.
      if (error instanceof WorkError || error instanceof PatternTimeError || error instanceof RangeError) {
        throw createCostProblem(error, isBodyChecked);
      }
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

function admitsInTime(admits: AdmitCheck, req: CheckedRequest, parts: RequestParts): boolean {
  startPatternBudget();
  try {
    return admits(req, parts);
  } catch (error) {
    throw error instanceof PatternTimeError ? createCostProblem(error, false) : error;
  }
}

/** The schemas of the parameters and the body. */
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
    if (faults.length >= faultsMax) continue;
    const hint = faults.length < hintsMax ? unknownNameHint(name, known) : '';
    const detail = isNameless(name) ? 'has no name' : 'is not a parameter of this operation';
    faults.push({ parameter: name, detail: `${detail}${hint && `.${hint}`}` });
  }
  return faults;
}

/** A shell replaces `$top` in double quotes by nothing, which leaves `=2`; curl may encode that, or send the 2 alone. */
function unknownNameHint(name: string, known: ReadonlySet<string>): string {
  if (isNameless(name)) return ` A shell replaces $name in double quotes by nothing: write it ${quoting}`;
  const isText = /^\d+$|\s/.test(name) && [...known].some((each) => each.startsWith('$'));
  return isText
    ? ` If it is the value of an option such as $top, write the option ${quoting}`
    : didYouMean(name, [...known]);
}

const isNameless = (name: string): boolean => /^=*$/.test(name);
const quoting = "in single quotes, as in '$top=2'.";

/** The judge knows no names but declared ones: the others wait beside it. */
function takeUndeclared(
  parts: RequestParts,
  known: ReadonlySet<string>,
  taken: Pick<SafePattern, 'test'>,
): Record<string, unknown> {
  const undeclared: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(parts.query)) {
    if (known.has(name) || !taken.test(name)) continue;
    undeclared[name] = parts.query[name];
    delete parts.query[name];
  }
  return undeclared;
}

const createNamePattern = ({ operation: { 'x-query-names': pattern } }: Route): SafePattern | undefined =>
  pattern === undefined ? undefined : createSafePattern(pattern, 'u');

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
