import type { OpenApiDocument } from '@rostergate/runtime/contract';
import type { Steps } from '@rostergate/runtime/steps';
import type { ErrorObject, ValidateFunction } from 'ajv';
import ajvDraft04 from 'ajv-draft-04';
import ajvFormats from 'ajv-formats';

/** What the contract says of one answer: an operation's, with one status and one media type. */
export interface AnswerRule {
  /** How deep the elements of its list stand: 1 in a bare array, 2 in an envelope's; 0 where there is no list. */
  readonly listDepth: 0 | 1 | 2;
  /** Where the list stands, as a JSON pointer. */
  readonly listPointer: string;
  readonly judgeWhole: JudgeValue;
  /** Judges an array of some elements of the list. */
  readonly judgeElements: JudgeValue;
  /** Makes ready what the two need, schema by schema: the first judgement has it done in one go otherwise. */
  prepareSteps(): Steps<void>;
}

/** Where a value is first found to break the contract; undefined for a sound one. No value is in it. */
export type JudgeValue = (value: unknown) => Place | undefined;

export interface Place {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly detail: string;
}

/** What holds for an answer, or what is wrong with it already. */
export type FindRule = (operationId: string, status: number, contentType: string) => AnswerRule | Place;

interface Media {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly rule: AnswerRule;
}

/** The answers with which these operations may succeed. Nothing is compiled before it is needed. */
export function createAnswerContract(document: OpenApiDocument): FindRule {
  const compile = createCompiler(document);
  const answers = new Map<string, ReadonlyMap<string, readonly Media[]>>();
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      if (operation?.operationId === undefined) continue;
      const responses = Object.entries(operation.responses ?? {}) as [string, ResponseObject][];
      const successes = responses.filter(([status]) => status.startsWith('2'));
      const medias = successes.map(([status, { content = {} }]): [string, Media[]] => [
        status,
        Object.entries(content).map(([name, { schema }]) => ({ ...parseMedia(name), rule: compile(schema) })),
      ]);
      answers.set(operation.operationId, new Map(medias));
    }
  }

  return (operationId, status, contentType) => {
    const medias = answers.get(operationId)?.get(String(status));
    if (medias === undefined)
      return { pointer: '', detail: `comes with a status, ${status}, that is not in the contract` };
    const { type, parameters } = parseMedia(contentType);
    // A parameter that the contract names changes the form; others, such as a character set, say nothing of it.
    const fitting = medias.filter((m) => m.type === type && m.parameters.every((p) => parameters.includes(p)));
    const closest = fitting.sort((a, b) => b.parameters.length - a.parameters.length)[0];
    return closest?.rule ?? { pointer: '', detail: 'comes in a media type that is not in the contract' };
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

/** Makes rules of schemas, each compiled once however many answers name it. */
function createCompiler(document: OpenApiDocument): (schema: SchemaObject) => AnswerRule {
  const schemas = asAnswered(document.components?.schemas ?? {}) as Readonly<Record<string, SchemaObject>>;
  const inline: SchemaObject[] = [];
  // With references kept, no schema's code is in another's: the largest takes 16 ms to compile, in place of 40.
  // All faults at once would cost time by their square: 64 KiB of wrong elements took two seconds.
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

  function judgeBy($ref: string): JudgeValue {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= validatorOf($ref);
      return validate(value) ? undefined : placeOf(validate.errors?.[0] as ErrorObject);
    };
  }

  return (schema) => {
    const refs = [...referencesIn(schema, schemas)];
    const whole = schema.$ref ?? `#/inline/${inline.push(asAnswered(schema) as SchemaObject) - 1}`;
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
      judgeWhole: judgeBy(whole),
      judgeElements: judgeBy(elements),
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

/** All that a schema refers to, the farthest first. Nothing in the contract contains itself. */
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

/** What is only ever written must be in no answer: its schema becomes one that nothing fits. Prose says nothing here. */
function asAnswered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asAnswered);
  if (typeof value !== 'object' || value === null) return value;
  if ((value as { readonly writeOnly?: unknown }).writeOnly === true) return { not: {} };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asAnswered(member)]));
}

/** A member's name is a place as long as it looks like one: somebody may have put values into names. */
function placeOf({ instancePath, keyword, message, params }: ErrorObject): Place {
  if (keyword === 'additionalProperties') {
    const name = String((params as { additionalProperty: unknown }).additionalProperty);
    const isName = /^@?[a-z_][\w.-]{0,63}$/i.test(name);
    return { pointer: `${instancePath}/${isName ? name : '*'}`, detail: 'is not in the contract' };
  }
  if (keyword === 'not') return { pointer: instancePath, detail: 'is only ever written' };
  return { pointer: instancePath, detail: message ?? 'is not as the contract has it' };
}
