import { createRequire } from 'node:module';
import { ConfigError, parseJsonFileSteps } from '@rostergate/runtime/config';
import { runSteps, type Steps } from '@rostergate/runtime/steps';
import { escapeStep, isObject, type JsonObject, stepsOfPointer } from '../json-pointer.ts';

/** An OpenAPI 3.0 or 3.1 document that operations are taken from. */
export interface ContractDocument {
  /** As endpoints.json has it. */
  readonly path: string;
  readonly version: '3.0' | '3.1';
  readonly value: JsonObject;
  readonly operations: ReadonlyMap<string, FoundOperation>;
  /** The value at a local reference (`#/…`); undefined when it points at nothing. */
  resolve(reference: string): unknown;
  /** Where the value at a pointer stands, for people: `petstore.yaml:12:5 (/components/schemas/Pet)`. */
  place(pointer: string): string;
}

export interface FoundOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  /** Of the path item and of the operation within the document. */
  readonly itemPointer: string;
  readonly pointer: string;
}

/** The methods that OpenAPI 3.1 gives an operation. */
const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reads a document, JSON or YAML; a string says why it cannot be used at all. */
export function parseContractDocument(text: string, path: string): ContractDocument | string {
  return runSteps(parseContractDocumentSteps(text, path));
}

/** The same, piece by piece where it is long JSON. */
export function* parseContractDocumentSteps(text: string, path: string): Steps<ContractDocument | string> {
  const read = yield* readDocumentTextSteps(text);
  if (typeof read === 'string') return read;
  const version = versionOf(read.value);
  if (version === undefined) return describeVersion(read.value);
  return createContractDocument(read.value, version, path, read.locate);
}

/** The same from a value that was parsed already. */
export function contractDocumentFrom(value: unknown, path: string): ContractDocument | string {
  if (!isObject(value)) return 'holds no object, so it is no OpenAPI document';
  const version = versionOf(value);
  return version === undefined ? describeVersion(value) : createContractDocument(value, version, path, () => '');
}

function createContractDocument(
  value: JsonObject,
  version: '3.0' | '3.1',
  path: string,
  locate: DocumentText['locate'],
): ContractDocument {
  const resolve = (reference: string): unknown => {
    if (!reference.startsWith('#/')) return undefined;
    return stepsOfPointer(reference.slice(1)).reduce<unknown>(
      (at, step) => (isObject(at) || Array.isArray(at) ? ownMember(at, step) : undefined),
      value,
    );
  };
  return {
    path,
    version,
    value,
    operations: findOperations(value, resolve),
    resolve,
    place: (pointer) => `${path}${locate(pointer)} (${pointer || '/'})`,
  };
}

function versionOf({ openapi }: JsonObject): '3.0' | '3.1' | undefined {
  const found = typeof openapi === 'string' ? /^3\.([01])\.\d+/.exec(openapi) : null;
  return found === null ? undefined : (`3.${found[1]}` as '3.0' | '3.1');
}

function describeVersion({ openapi, swagger }: JsonObject): string {
  if (swagger !== undefined) {
    return `is Swagger ${JSON.stringify(swagger)}: convert it to OpenAPI 3 first, for example with swagger2openapi`;
  }
  return openapi === undefined
    ? 'has no member "openapi", so it is no OpenAPI document'
    : `is OpenAPI ${JSON.stringify(openapi)}: 3.0 and 3.1 are understood`;
}

function findOperations(document: JsonObject, resolve: (reference: string) => unknown): Map<string, FoundOperation> {
  const found = new Map<string, FoundOperation>();
  for (const entry of operationsOf(document, resolve)) {
    if (entry.operationId !== '' && !found.has(entry.operationId)) found.set(entry.operationId, entry);
  }
  return found;
}

/** Every operation in the order of the document; the operationId is empty where there is none. */
export function operationsOf(
  { paths }: JsonObject,
  resolve: (reference: string) => unknown = () => undefined,
): FoundOperation[] {
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, given]) => {
    if (!path.startsWith('/') || !isObject(given)) return [];
    const [item, itemPointer] = followItem(given, `/paths/${escapeStep(path)}`, resolve);
    return operationMethods.flatMap((method) => {
      const operation = item[method];
      if (!isObject(operation)) return [];
      const operationId = typeof operation.operationId === 'string' ? operation.operationId : '';
      return [{ operationId, method, path, item, operation, itemPointer, pointer: `${itemPointer}/${method}` }];
    });
  });
}

/** A path item may stand elsewhere (3.1: `components/pathItems`). */
function followItem(
  item: JsonObject,
  pointer: string,
  resolve: (reference: string) => unknown,
): readonly [JsonObject, string] {
  if (typeof item.$ref !== 'string') return [item, pointer];
  const target = resolve(item.$ref);
  return isObject(target) ? [target, item.$ref.slice(1)] : [item, pointer];
}

function ownMember(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** A document that was read, and where things stand in its text. */
export interface DocumentText {
  readonly value: JsonObject;
  /** `:line:column` of the nearest thing at a pointer. */
  locate(pointer: string): string;
}

/** Reads JSON, piece by piece where it is long, or YAML in one go; a string says what is wrong with it. */
export function* readDocumentTextSteps(text: string): Steps<DocumentText | string> {
  if (!text.trimStart().startsWith('{')) return readYaml(text);
  try {
    const file = yield* parseJsonFileSteps(text, '');
    if (!isObject(file.value)) return noObject;
    return { value: file.value, locate: (pointer) => placeOf(file.locate(pointer)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // YAML may begin with a brace as well.
    const yaml = readYaml(text);
    const [fault] = error.faults;
    return typeof yaml === 'string' ? `is not JSON${fault?.where}: ${fault?.detail}` : yaml;
  }
}

const noObject = 'holds no object, so it is no OpenAPI document';

const placeOf = ({ line, column }: { readonly line: number; readonly column: number }): string => `:${line}:${column}`;

const require = createRequire(import.meta.url);

/** Loaded when a document is read: most servers start without any, and it would be a twentieth of their start. */
function loadYaml(): typeof import('yaml') {
  return require('yaml');
}

function readYaml(text: string): DocumentText | string {
  const { LineCounter, parseDocument, YAMLError } = loadYaml();
  try {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
    const [fault] = document.errors;
    if (fault !== undefined) return `is not YAML: ${firstLine(fault.message)}`;
    const value: unknown = document.toJS();
    if (!isObject(value)) return noObject;
    return {
      value,
      locate(pointer) {
        for (let steps = stepsOfPointer(pointer); steps.length > 0; steps = steps.slice(0, -1)) {
          const node = document.getIn(steps, true) ?? document.getIn(steps.map(numberWhereDigits), true);
          const range = (node as { range?: readonly number[] } | undefined)?.range;
          if (range === undefined) continue;
          const { line, col } = lines.linePos(range[0] as number);
          return placeOf({ line, column: col });
        }
        return '';
      },
    };
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError)
      return `is not YAML: ${firstLine(error.message)}`;
    throw error;
  }
}

const numberWhereDigits = (step: string): string | number => (/^\d+$/.test(step) ? Number(step) : step);

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;
