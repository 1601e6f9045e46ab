import { createRequire } from 'node:module';

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

export type JsonObject = Readonly<Record<string, unknown>>;

/** The methods that OpenAPI 3.1 gives an operation. */
export const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reads a document, JSON or YAML; a string says why it cannot be used at all. */
export function parseContractDocument(text: string, path: string): ContractDocument | string {
  const value = readText(text);
  if (typeof value === 'string') return value;
  const version = versionOf(value);
  if (version === undefined) return describeVersion(value);
  return createContractDocument(value, version, path, text);
}

/** The same from a value that was parsed already. */
export function contractDocumentFrom(value: unknown, path: string): ContractDocument | string {
  if (!isObject(value)) return 'holds no object, so it is no OpenAPI document';
  const version = versionOf(value);
  return version === undefined ? describeVersion(value) : createContractDocument(value, version, path, undefined);
}

function createContractDocument(
  value: JsonObject,
  version: '3.0' | '3.1',
  path: string,
  text: string | undefined,
): ContractDocument {
  const resolve = (reference: string): unknown => {
    if (!reference.startsWith('#/')) return undefined;
    return stepsOf(reference.slice(1)).reduce<unknown>(
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
    place: (pointer) => `${path}${text === undefined ? '' : locate(text, pointer)} (${pointer || '/'})`,
  };
}

const require = createRequire(import.meta.url);

/** Loaded when a document is read: most servers start without any, and it would be a twentieth of their start. */
function loadYaml(): typeof import('yaml') {
  return require('yaml');
}

function readText(text: string): JsonObject | string {
  let value: unknown;
  try {
    value = text.trimStart().startsWith('{') ? JSON.parse(text) : loadYaml().parse(text, { prettyErrors: true });
  } catch (error) {
    if (error instanceof SyntaxError) return readFlowYaml(text) ?? `is not JSON: ${firstLine(error.message)}`;
    if (error instanceof loadYaml().YAMLError) return `is not YAML: ${firstLine(error.message)}`;
    return `cannot be read: ${error instanceof Error ? firstLine(error.message) : 'unknown fault'}`;
  }
  return isObject(value) ? value : 'holds no object, so it is no OpenAPI document';
}

/** YAML may begin with a brace as well. */
function readFlowYaml(text: string): JsonObject | undefined {
  try {
    const value: unknown = loadYaml().parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
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

/** `:line:column` of the nearest thing at a pointer. Only faults ask, so the text is read again. */
function locate(text: string, pointer: string): string {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (let steps = stepsOf(pointer); steps.length > 0; steps = steps.slice(0, -1)) {
    const node = document.getIn(steps, true) ?? document.getIn(steps.map(numberWhereDigits), true);
    const range = (node as { range?: readonly number[] } | undefined)?.range;
    if (range === undefined) continue;
    const { line, col } = lines.linePos(range[0] as number);
    return `:${line}:${col}`;
  }
  return '';
}

const numberWhereDigits = (step: string): string | number => (/^\d+$/.test(step) ? Number(step) : step);

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** References are URI fragments (RFC 6901 §6). */
function decodePercent(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** RFC 6901 §3. */
export function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownMember(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;
