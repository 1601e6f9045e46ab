import { createRequire } from 'node:module';
import { ConfigError, parseJsonFileSteps } from '@rostergate/config';
import { runSteps, type Steps } from '@rostergate/server/steps';
import { escapeStep, isObject, type JsonObject, stepsOfPointer } from '../json-pointer.ts';

/** An OpenAPI 3.0 or 3.1 document whose operations are contracts of endpoints. */
export interface ContractDocument {
  /** As written in endpoints.json. */
  readonly path: string;
  readonly version: '3.0' | '3.1';
  readonly value: JsonObject;
  readonly operations: ReadonlyMap<string, FoundOperation>;
  /** Returns the value at a local reference (`#/…`); undefined when there is none. */
  resolve(reference: string): unknown;
  /** Returns the position of the value at a pointer, for messages: `petstore.yaml:12:5 (/components/schemas/Pet)`. */
  place(pointer: string): string;
}

export interface FoundOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The path as an endpoint has it: a last parameter with `x-multi-segment` is written `{name*}`. */
  readonly endpointPath: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  /** JSON pointers of the path item and of the operation. */
  readonly itemPointer: string;
  readonly pointer: string;
}

/** The methods of OpenAPI 3.1. */
const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Parses a JSON or YAML document. Returns a string that says why it cannot be used. */
export function parseContractDocument(text: string, path: string): ContractDocument | string {
  return runSteps(parseContractDocumentSteps(text, path));
}

/** Does the same in steps if it is long JSON. */
export function* parseContractDocumentSteps(text: string, path: string): Steps<ContractDocument | string> {
  const read = yield* readDocumentTextSteps(text);
  if (typeof read === 'string') return read;
  const version = versionOf(read.value);
  if (version === undefined) return describeVersion(read.value);
  return createContractDocument(read.value, version, path, read.locate);
}

/** Does the same with a parsed value. */
export function contractDocumentFrom(value: unknown, path: string): ContractDocument | string {
  if (!isObject(value)) return 'is not an object, so it is not an OpenAPI document';
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
    ? 'has no member "openapi", so it is not an OpenAPI document'
    : `is OpenAPI ${JSON.stringify(openapi)}: only 3.0 and 3.1 are supported`;
}

function findOperations(document: JsonObject, resolve: (reference: string) => unknown): Map<string, FoundOperation> {
  const found = new Map<string, FoundOperation>();
  for (const entry of operationsOf(document, resolve)) {
    if (entry.operationId !== '' && !found.has(entry.operationId)) found.set(entry.operationId, entry);
  }
  return found;
}

/** Returns every operation in the order of the document; a missing operationId is empty. */
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
      const endpointPath = endpointPathOf(path, [item.parameters, operation.parameters], resolve);
      const pointer = `${itemPointer}/${method}`;
      return [{ operationId, method, path, endpointPath, item, operation, itemPointer, pointer }];
    });
  });
}

function endpointPathOf(path: string, lists: readonly unknown[], resolve: (reference: string) => unknown): string {
  const hasRest = lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((given) => (isObject(given) && typeof given.$ref === 'string' ? resolve(given.$ref) : given))
    .some((one) => isObject(one) && one['x-multi-segment'] === true && path.endsWith(`/{${one.name}}`));
  return hasRest ? `${path.slice(0, -1)}*}` : path;
}

/** Follows the reference of a path item (3.1: `components/pathItems`). */
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

/** A parsed document and the positions of its values in the text. */
interface DocumentText {
  readonly value: JsonObject;
  /** Returns `:line:column` of the value at a pointer, or of its nearest parent. */
  locate(pointer: string): string;
}

/** Parses JSON, in steps if it is long, or YAML. Returns a string that describes a fault. */
function* readDocumentTextSteps(text: string): Steps<DocumentText | string> {
  if (!text.trimStart().startsWith('{')) return readYaml(text);
  try {
    const file = yield* parseJsonFileSteps(text, '');
    if (!isObject(file.value)) return notAnObject;
    return { value: file.value, locate: (pointer) => placeOf(file.locate(pointer)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // YAML may begin with a brace, too.
    const yaml = readYaml(text);
    const [fault] = error.faults;
    return typeof yaml === 'string' ? `is not JSON${fault?.where}: ${fault?.detail}` : yaml;
  }
}

const notAnObject = 'is not an object, so it is not an OpenAPI document';

const placeOf = ({ line, column }: { readonly line: number; readonly column: number }): string => `:${line}:${column}`;

const require = createRequire(import.meta.url);

/** Loads the YAML parser on first use: it takes 5% of the startup time, and most servers have no documents. */
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
    if (!isObject(value)) return notAnObject;
    return {
      value,
      locate(pointer) {
        for (let steps = stepsOfPointer(pointer); steps.length > 0; steps = steps.slice(0, -1)) {
          const node = document.getIn(steps, true) ?? document.getIn(steps.map(indexIfDigits), true);
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

const indexIfDigits = (step: string): string | number => (/^\d+$/.test(step) ? Number(step) : step);

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;
