import type { OpenApiDocument } from '@rostergate/server';
import type { Steps } from '@rostergate/server/steps';
import type { ErrorObject, ValidateFunction } from 'ajv';
import ajvDraft04 from 'ajv-draft-04';
import ajvFormats from 'ajv-formats';
import type { UnknownMembers } from '../vendor/response-shapes.ts';
import { cutList } from './cut-list.ts';

export interface CheckResult {
  /** `unchecked`: a piece is too long to be checked without blocking other requests. */
  readonly outcome: 'sound' | 'broken' | 'unchecked';
  /** The first violations, without values. */
  readonly places: readonly Place[];
}

/** Up to this length a response is checked in one step: it takes less than a millisecond. */
export const wholeBytesMax = 64 * 1024;
/** Half a millisecond's work. */
const partBytes = 32 * 1024;
/** Ten milliseconds' work, for a part that cannot be cut. */
const pieceBytesMax = 1024 * 1024;
const placesMax = 10;

const sound: CheckResult = { outcome: 'sound', places: [] };
const unchecked: CheckResult = { outcome: 'unchecked', places: [] };

function checkShortResponse(rule: ResponseRule, bytes: Uint8Array): CheckResult {
  return resultOf([checkText(bytes, '', rule.checkWhole)]);
}

/** Checks a response in steps of about a millisecond, a long list in parts. */
export function* checkResponseSteps(rule: ResponseRule, chunks: readonly Uint8Array[]): Steps<CheckResult> {
  yield* rule.prepareSteps();
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= wholeBytesMax) return checkShortResponse(rule, Buffer.concat(chunks));
  if (rule.listDepth !== 0) return yield* checkListSteps(rule, rule.listDepth, chunks);
  return length > pieceBytesMax ? unchecked : checkShortResponse(rule, Buffer.concat(chunks));
}

function* checkListSteps(rule: ResponseRule, depth: 1 | 2, chunks: readonly Uint8Array[]): Steps<CheckResult> {
  const places: (Place | undefined)[] = [];
  const parts = cutList(chunks, { depth, partBytes, partBytesMax: pieceBytesMax });
  let elements = 0;
  for (let part = parts.next(); ; part = parts.next()) {
    if (part.done) return part.value || places.length > 0 ? resultOf(places) : unchecked;
    if (part.value?.kind === 'around') places.unshift(checkText(part.value.bytes, '', rule.checkWhole));
    else if (part.value !== undefined) {
      const before = elements;
      const place = checkText(part.value.bytes, '[]', (list) => {
        elements += (list as readonly unknown[]).length;
        // A trailing comma is not JSON.
        if (elements === before && before > 0) return notJson;
        return inWholeList(rule.checkElements(list), rule.listPointer, before);
      });
      if (place !== undefined) places.push(place);
      if (places.length >= placesMax || place === notJson) return resultOf(places);
    }
    yield;
  }
}

/** Returns the place in the whole list of a place in a part. */
function inWholeList(place: Place | undefined, listPointer: string, before: number): Place | undefined {
  if (place === undefined) return undefined;
  const pointer = place.pointer.replace(/^\/(\d+)/, (_, index: string) => `${listPointer}/${before + Number(index)}`);
  return { ...place, pointer };
}

function checkText(bytes: Uint8Array, brackets: '' | '[]', check: CheckValue): Place | undefined {
  let value: unknown;
  try {
    const text = utf8.decode(bytes);
    value = JSON.parse(brackets === '' ? text : `[${text}]`);
  } catch {
    // The parser's message would quote what it read.
    return notJson;
  }
  return check(value);
}

function resultOf(found: readonly (Place | undefined)[]): CheckResult {
  const places = found.filter((place) => place !== undefined).slice(0, placesMax);
  return places.length === 0 ? sound : { outcome: 'broken', places };
}

/** JSON between systems is UTF-8 without a byte order mark (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const notJson: Place = Object.freeze({ pointer: '', detail: 'is not JSON' });

/** The contract's rule for the responses of one operation with one status and one media type. */
export interface ResponseRule {
  /** Depth of the elements of its list: 1 in a bare array, 2 in an envelope's; 0 where there is no list. */
  readonly listDepth: 0 | 1 | 2;
  /** JSON pointer of the list. */
  readonly listPointer: string;
  readonly checkWhole: CheckValue;
  /** Checks an array of some elements of the list. */
  readonly checkElements: CheckValue;
  /** Compiles the validators schema by schema; without it the first check compiles all at once. */
  prepareSteps(): Steps<void>;
}

/** Returns the place of the first violation, without its value; undefined for a valid value. */
export type CheckValue = (value: unknown) => Place | undefined;

export interface Place {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly detail: string;
}

/** Returns the rule for a response, or the violation where the contract has none. */
export type FindRule = (operationId: string, status: number, contentType: string) => ResponseRule | Place;

interface Media {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly rule: ResponseRule;
}

/** Returns the rules for successful responses. Each is compiled on first use. Kept unknown members are no violation. */
export function createRuleFinder(document: OpenApiDocument, unknownMembers: UnknownMembers = 'drop'): FindRule {
  const compile = createCompiler(document, unknownMembers);
  const rules = new Map<string, ReadonlyMap<string, readonly Media[]>>();
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      if (operation?.operationId === undefined) continue;
      const responses = Object.entries(operation.responses ?? {}) as [string, ResponseObject][];
      const successes = responses.filter(([status]) => status.startsWith('2'));
      const medias = successes.map(([status, { content = {} }]): [string, Media[]] => [
        status,
        Object.entries(content).map(([name, { schema }]) => ({ ...parseMedia(name), rule: compile(schema) })),
      ]);
      rules.set(operation.operationId, new Map(medias));
    }
  }

  return (operationId, status, contentType) => {
    const medias = rules.get(operationId)?.get(String(status));
    if (medias === undefined) return { pointer: '', detail: `has a status, ${status}, that is not in the contract` };
    const { type, parameters } = parseMedia(contentType);
    // A parameter that the contract names changes the form; others, such as a character set, do not.
    const fitting = medias.filter((m) => m.type === type && m.parameters.every((p) => parameters.includes(p)));
    const closest = fitting.sort((a, b) => b.parameters.length - a.parameters.length)[0];
    return closest?.rule ?? { pointer: '', detail: 'has a media type that is not in the contract' };
  };
}

interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema: SchemaObject }>>;
}

interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
}

function parseMedia(name: string): { readonly type: string; readonly parameters: readonly string[] } {
  const [type = '', ...parameters] = name.toLowerCase().split(';');
  return { type: type.trim(), parameters: parameters.map((parameter) => parameter.trim()) };
}

/** Returns a function that makes rules of schemas; each schema is compiled once. */
function createCompiler(
  document: OpenApiDocument,
  unknownMembers: UnknownMembers,
): (schema: SchemaObject) => ResponseRule {
  const schemas = forResponses(document.components?.schemas ?? {}, unknownMembers) as Readonly<
    Record<string, SchemaObject>
  >;
  const inline: SchemaObject[] = [];
  // Without inlined references the largest schema takes 16 ms to compile instead of 40.
  // With `allErrors` the time grows with the square of the errors: 64 KiB of wrong elements took two seconds.
  const options = { strict: false, validateSchema: false, inlineRefs: false, allErrors: false } as const;
  let ajv: InstanceType<typeof ajvDraft04.default> | undefined;

  function validatorOf($ref: string): ValidateFunction {
    if (ajv === undefined) {
      ajv = new ajvDraft04.default(options);
      ajvFormats.default(ajv);
      ajv.addSchema({ components: { schemas }, inline }, 'contract');
    }
    return ajv.getSchema(`contract${$ref}`) as ValidateFunction;
  }

  function checkBy($ref: string): CheckValue {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= validatorOf($ref);
      return validate(value) ? undefined : placeOf(validate.errors?.[0] as ErrorObject);
    };
  }

  return (schema) => {
    const refs = [...referencesIn(schema, schemas)];
    const whole = schema.$ref ?? `#/inline/${inline.push(forResponses(schema, unknownMembers) as SchemaObject) - 1}`;
    const { type, properties = {} } =
      schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] as SchemaObject);
    const member = Object.keys(properties).find((name) => properties[name]?.type === 'array');
    const isEnvelope = member === 'value';
    const pointer = isEnvelope ? '/value' : '';
    const elements = isEnvelope ? `${whole}/properties/value` : whole;
    let isPrepared = false;
    return {
      listDepth: type === 'array' ? 1 : isEnvelope ? 2 : 0,
      listPointer: pointer,
      checkWhole: checkBy(whole),
      checkElements: checkBy(elements),
      *prepareSteps() {
        if (isPrepared) return;
        for (const $ref of [...refs, whole, elements]) {
          validatorOf($ref);
          yield;
        }
        isPrepared = true;
      },
    };
  };
}

/** Yields all references of a schema, the deepest first. No schema of the contract is recursive. */
function* referencesIn(value: unknown, schemas: Readonly<Record<string, SchemaObject>>): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as SchemaObject;
  for (const member of Object.values(value)) yield* referencesIn(member, schemas);
  if (typeof $ref !== 'string') return;
  yield* referencesIn(schemas[nameOf($ref)], schemas);
  yield $ref;
}

function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Returns the schema for responses: no value fits a write-only member. */
function forResponses(value: unknown, unknownMembers: UnknownMembers): unknown {
  if (Array.isArray(value)) return value.map((item) => forResponses(item, unknownMembers));
  if (typeof value !== 'object' || value === null) return value;
  if ((value as { readonly writeOnly?: unknown }).writeOnly === true) return { not: {} };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      unknownMembers === 'keep' && name === 'additionalProperties' && member === false
        ? []
        : [[name, forResponses(member, unknownMembers)]],
    ),
  );
}

/** Replaces an unusual member name by `*`, as a name may contain a value. */
function placeOf({ instancePath, keyword, message, params }: ErrorObject): Place {
  if (keyword === 'additionalProperties') {
    const name = String((params as { additionalProperty: unknown }).additionalProperty);
    const isName = /^@?[a-z_][\w.-]{0,63}$/i.test(name);
    return { pointer: `${instancePath}/${isName ? name : '*'}`, detail: 'is not in the contract' };
  }
  if (keyword === 'not') return { pointer: instancePath, detail: 'is write-only' };
  return { pointer: instancePath, detail: message ?? 'violates the contract' };
}
