import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { startPatternBudget } from '../pattern/safe-pattern.ts';
import { type Ajv, addBoundedKeywords, boundedOptions, WorkBudget } from './bounded-keywords.ts';
import { type BoundedSchemas, createBoundedSchemas } from './bounded-schemas.ts';
import type { OpenApiDocument } from './openapi.ts';
import { formType, type ParsedBody } from './request-body.ts';

type UtilModule = typeof import('express-openapi-validator/dist/middlewares/util.js');
type ValidatorModule = typeof import('express-openapi-validator/dist/middlewares/openapi.request.validator.js');

const require = createRequire(import.meta.url);

/** Loads express-openapi-validator on demand: loading it takes a tenth of the start time of a server. */
function loadValidator(): ValidatorModule {
  return require('express-openapi-validator/dist/middlewares/openapi.request.validator.js');
}

/** Loads the functions that describe Ajv's errors. */
function loadErrorTexts(): Pick<UtilModule, 'ajvErrorsToValidatorError' | 'augmentAjvErrors' | 'ContentType'> {
  return require('express-openapi-validator/dist/middlewares/util.js');
}

/**
 * Loads the validator after a server has become ready, so that no request waits for it. An error is not caught: a broken
 * installation ends the process at once, rather than failing the first invalid request.
 */
export function loadValidatorSoon(server: Server, load: () => unknown = loadValidator): void {
  server.once('listening', () => {
    const timer = setTimeout(load, afterListeningMs).unref();
    server.once('close', () => clearTimeout(timer));
  });
}

/** Leaves time for requests that wait for the server to become ready. */
const afterListeningMs = 1_000;

export interface ValidatedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The schemas of an operation, as the validator needs them. */
export interface OperationSchemas {
  /** The cache key of the compiled schemas. */
  readonly shape: string;
  readonly schema: object;
  readonly components: object;
  readonly listsAll: boolean;
}

export interface RequestValidator {
  /** Throws the faults of a request: all of them where that takes no longer than a short body may. */
  validate(request: ValidatedRequest, operation: OperationSchemas, bodyLength: number): void;
}

export interface RequestValidators {
  /** Returns the validator for a body, or for a request without one; created on first use. */
  of(body?: ParsedBody): RequestValidator;
  readonly bounded: BoundedSchemas;
}

/** For a longer body only the first fault is reported: finding all takes longer than parsing the body. */
export const everyFaultBytesMax = 8 * 1024;

/**
 * Wraps express-openapi-validator's request validator. It is called without its route lookup, with a plain object instead
 * of Express's request, and with a document without paths, since it compiles the whole document into every schema. Its
 * public API gives no access to Ajv, to which the bounded keywords are added.
 */
export function createRequestValidators(document: OpenApiDocument): RequestValidators {
  const bounded = createBoundedSchemas(document.components);
  const create = (coerceTypes: false | 'array'): RequestValidator => {
    const budget = new WorkBudget();
    const first = createValidator(document, bounded, { coerceTypes, allErrors: false }, budget);
    let every: OpenValidator | undefined;
    return {
      validate(request, operation, bodyLength) {
        startPatternBudget();
        budget.start(bodyLength, request.body);
        first.document.components = operation.components;
        try {
          first.validator.validate(request as never, undefined as never, noop);
        } catch (error) {
          if (!operation.listsAll || bodyLength > everyFaultBytesMax || statusOf(error) !== 400) throw error;
          every ??= createValidator(document, bounded, { coerceTypes, allErrors: true }, budget);
          startPatternBudget();
          budget.start(bodyLength, request.body);
          throw listFaults(every, request, operation) ?? error;
        } finally {
          budget.end();
        }
      },
    };
  };
  const validators = new Map<boolean, RequestValidator>();
  return {
    bounded,
    of(body) {
      // A form contains only text: the schema decides which fields are numbers and lists.
      const isForm = body?.mediaType === formType;
      let validator = validators.get(isForm);
      if (validator === undefined) {
        validator = create(isForm ? 'array' : false);
        validators.set(isForm, validator);
      }
      return validator;
    },
  };
}

const noop = () => {};
const statusOf = (error: unknown) => (error as { status?: unknown } | undefined)?.status;

/** The library's class with its private members, and the document that it compiles. */
interface OpenValidator {
  readonly validator: {
    readonly ajv: Ajv;
    readonly ajvBody: Ajv;
    validate(req: never, res: never, next: () => void): void;
    buildMiddleware(path: string, schema: object, contentType: object, key: string): unknown;
  };
  readonly document: { components: object };
}

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

function createValidator(
  { openapi, info }: OpenApiDocument,
  bounded: BoundedSchemas,
  options: { readonly coerceTypes: false | 'array'; readonly allErrors: boolean },
  budget: WorkBudget,
): OpenValidator {
  const { RequestValidator } = loadValidator();
  const document = { openapi, info, paths: {}, components: structuredClone(bounded.components) as object };
  const validator = new RequestValidator(
    document as never,
    {
      ...validatorOptions,
      ...boundedOptions,
      ...options,
    } as never,
  ) as unknown as OpenValidator['validator'];
  for (const ajv of [validator.ajv, validator.ajvBody]) addBoundedKeywords(ajv, budget, options.allErrors);
  return { validator, document };
}

/** Checks rejected and by now coerced values again, to list all of their faults. */
function listFaults({ validator, document }: OpenValidator, request: ValidatedRequest, operation: OperationSchemas) {
  const { ajvErrorsToValidatorError, augmentAjvErrors, ContentType } = loadErrorTexts();
  const type = ContentType.from(request as never);
  const key = `${operation.shape} ${type.normalize() ?? ''}`;
  if (validator.ajv.getSchema(key) === undefined) {
    // Compiling all components into every operation would take much time and memory.
    document.components = operation.components;
    validator.buildMiddleware(operation.shape, operation.schema, type, key);
  }
  const errors = [validator.ajv, validator.ajvBody].flatMap((ajv) => {
    const validate = ajv.getSchema(key);
    return validate === undefined || validate(request) ? [] : (validate.errors ?? []);
  });
  return errors.length === 0 ? undefined : ajvErrorsToValidatorError(400, augmentAjvErrors(errors as never));
}
