import { didYouMean } from '../problem/did-you-mean.ts';
import type { Fault } from '../problem/index.ts';
import { escapeStep, type OpenApiDocument, type Reference, resolveReference, unescapeStep } from './openapi.ts';

/** A fault of a body as the validator reports it: its place, the JSON Schema keyword and the message. */
export interface Finding {
  /** A JSON pointer whose last step may be unescaped. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** Describes findings by what to send instead, according to the schema of the body. */
export type DescribeBodyFaults = (findings: readonly Finding[], body: unknown) => Fault[];

/** The most field names in an error; longer lists are omitted. */
const listedMax = 6;

/** The most suggestions in a response: a request may contain thousands of unknown names. */
export const hintsMax = 10;

export function createBodyFaults(document: OpenApiDocument, root: unknown): DescribeBodyFaults {
  const schemaAt = (pointer: string): Schema | undefined => {
    let schema: Schema | undefined = resolve(document, root);
    for (const step of stepsOf(pointer)) schema = schema && memberOf(document, schema, step);
    return schema;
  };

  function describe({ pointer, keyword, message }: Finding, at: number, body: unknown): Fault {
    switch (keyword) {
      case 'additionalProperties': {
        const [parent, name] = splitUnknown(pointer, body);
        const hint = at < hintsMax ? didYouMean(name, namesOf(document, schemaAt(parent))) : '';
        return { pointer: `${parent}/${escapeStep(name)}`, detail: `is not a known field${hint && `.${hint}`}` };
      }
      case 'oneOf':
        return { pointer, detail: choiceOf(schemaAt(pointer))?.text ?? message };
      case 'minProperties':
      case 'maxProperties':
        return { pointer, detail: describeCount(document, schemaAt(pointer)) ?? message };
      case 'pattern': {
        const example = schemaAt(pointer)?.example;
        return { pointer, detail: example === undefined ? message : `must have the form of ${String(example)}` };
      }
      case 'format': {
        const example = schemaAt(pointer)?.example ?? (message.includes('"date-time"') ? dateTimeExample : undefined);
        return { pointer, detail: example === undefined ? message : `${message}, such as ${String(example)}` };
      }
      case 'type':
        return { pointer, detail: schemaAt(pointer)?.nullable === true ? `${message} or null` : message };
      default:
        return { pointer, detail: message };
    }
  }

  return (findings, body) => {
    const mistyped = new Set(findings.filter(({ keyword }) => keyword === 'type').map(({ pointer }) => pointer));
    const choices = new Map<string, ReadonlySet<string>>();
    for (const { keyword, pointer } of findings) {
      const choice = keyword === 'oneOf' ? choiceOf(schemaAt(pointer)) : undefined;
      if (choice !== undefined) choices.set(pointer, choice.names);
    }
    return findings
      .filter(({ keyword, pointer }) => {
        if (keyword === 'oneOf') return !mistyped.has(pointer);
        const at = pointer.lastIndexOf('/');
        // The choice itself lists what its alternatives require.
        return keyword !== 'required' || choices.get(pointer.slice(0, at))?.has(pointer.slice(at + 1)) !== true;
      })
      .map((finding, at) => describe(finding, at, body));
  };
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly allOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly nullable?: boolean;
  readonly example?: unknown;
}

const dateTimeExample = '2024-01-01T00:00:00Z';

function resolve(document: OpenApiDocument, schema: unknown): Schema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  return resolveReference<Schema>(document, schema as Schema | Reference);
}

const partsOf = ({ allOf = [], anyOf = [], oneOf = [] }: Schema): unknown[] => [...allOf, ...anyOf, ...oneOf];

function memberOf(document: OpenApiDocument, schema: Schema, step: string): Schema | undefined {
  const { properties = {}, items, additionalProperties } = schema;
  if (Object.hasOwn(properties, step)) return resolve(document, properties[step]);
  if (items !== undefined) return resolve(document, items);
  for (const part of partsOf(schema)) {
    const resolved = resolve(document, part);
    const found = resolved && memberOf(document, resolved, step);
    if (found !== undefined) return found;
  }
  return resolve(document, additionalProperties);
}

function namesOf(document: OpenApiDocument, schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const inParts = partsOf(schema).flatMap((part) => namesOf(document, resolve(document, part)));
  return [...new Set([...Object.keys(schema.properties ?? {}), ...inParts])];
}

/** Describes a choice whose alternatives only require members; undefined for any other. */
function choiceOf(schema: Schema | undefined): { text: string; names: ReadonlySet<string> } | undefined {
  const alternatives = (schema?.oneOf ?? []).map((alternative) => (alternative as Schema).required ?? []);
  if (alternatives.length < 2 || alternatives.some((required) => required.length === 0)) return undefined;
  const texts = alternatives.map((required) => listNames(required, 'and'));
  return { text: `must have either ${texts.join(', or ')}, and not both`, names: new Set(alternatives.flat()) };
}

function describeCount(document: OpenApiDocument, schema: Schema | undefined): string | undefined {
  const { minProperties = 0, maxProperties } = schema ?? {};
  if (minProperties !== 1 || (maxProperties ?? 1) !== 1) return undefined;
  const names = namesOf(document, schema);
  const choice = names.length > 0 && names.length <= listedMax ? `: ${listNames(names, 'or')}` : '';
  return `must have ${maxProperties === 1 ? 'exactly' : 'at least'} one field${choice}`;
}

function listNames(names: readonly string[], word: string): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

const stepsOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeStep);

/** Splits off the name of an unknown field, which the validator does not escape: it may contain slashes. */
function splitUnknown(path: string, body: unknown): [parent: string, name: string] {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [parent, name] = [path.slice(0, at), path.slice(at + 1)];
    const holder = stepsOf(parent).reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], body);
    if (typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)) return [parent, name];
  }
  const last = path.lastIndexOf('/');
  return [path.slice(0, last), path.slice(last + 1)];
}
