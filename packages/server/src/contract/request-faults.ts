import { didYouMean } from '../problem/did-you-mean.ts';
import { type Fault, faultsMax } from '../problem/index.ts';
import { createBodyFaults, type DescribeBodyFaults, type Finding, hintsMax } from './body-faults.ts';
import type { FieldPlace } from './field-parameters.ts';
import type { RequestParts } from './handler.ts';
import { type OpenApiDocument, type ParameterObject, type RequestBodyObject, unescapeStep } from './openapi.ts';
import type { QueryObjects } from './query-objects.ts';

/** A fault that express-openapi-validator reports, or one with the same paths. */
export interface ValidatorFault {
  /** Such as `/query/limit` or `/body/name`. */
  readonly path?: string;
  readonly message?: string;
  readonly errorCode?: string;
}

/** Describes the faults of the requests of one operation. */
export interface RequestFaults {
  /** Returns the faults of a validator's error; throws other errors. */
  read(error: unknown, parts: RequestParts, mediaType: string): Fault[];
  /** Returns one fault with its message unchanged. */
  place(fault: ValidatorFault): Fault;
}

export function createRequestFaults(
  document: OpenApiDocument,
  parameters: readonly ParameterObject[],
  fields: ReadonlyMap<string, FieldPlace>,
  requestBody: RequestBodyObject | undefined,
  objects: QueryObjects | undefined,
): RequestFaults {
  const exampleOf = (place: string, name: string): unknown => {
    const found = parameters.find((p) => p.in === place && p.name.toLowerCase() === name.toLowerCase());
    return found?.example ?? (found?.schema as { example?: unknown } | undefined)?.example;
  };

  function findPlace({ path = '', message = 'is not valid', errorCode = '' }: ValidatorFault): Fault | Finding {
    const [, part, ...rest] = path.split('/');
    const name = unescapeStep(rest[0] ?? '');
    const keyword = errorCode.slice(0, Math.max(0, errorCode.indexOf('.')));
    const detailIn = (place: string) => {
      const example = keyword === 'pattern' ? exampleOf(place, name) : undefined;
      return example === undefined ? message : `must have the form of ${String(example)}`;
    };
    switch (part) {
      case 'query':
      case 'params':
        if (rest[1] === undefined) return { parameter: name, detail: detailIn(part === 'params' ? 'path' : part) };
        if (/^\d+$/.test(rest[1])) return { parameter: name, detail: `entry ${Number(rest[1]) + 1} ${message}` };
        return { parameter: objects?.sentName(name, rest[1]) ?? name, detail: message };
      case 'headers': {
        const field = fields.get(name) ?? { place: 'header', name };
        return { [field.place]: field.name, detail: detailIn('header') };
      }
      default:
        return { pointer: rest.length === 0 ? '' : `/${rest.join('/')}`, keyword, message };
    }
  }

  const byMediaType = new Map<string, DescribeBodyFaults>();
  const bodyFaultsOf = (mediaType: string): DescribeBodyFaults => {
    let describe = byMediaType.get(mediaType);
    if (describe === undefined) {
      describe = createBodyFaults(document, requestBody?.content[mediaType]?.schema);
      byMediaType.set(mediaType, describe);
    }
    return describe;
  };

  return {
    read(error, { query, body }, mediaType) {
      const { errors, status } = error as { errors?: readonly ValidatorFault[]; status?: number };
      if (status !== 400 || errors === undefined) throw error;
      const findings: Finding[] = [];
      const faults: Fault[] = [];
      for (const fault of errors) {
        const placed = findPlace(fault);
        if ('keyword' in placed) findings.push(placed);
        else faults.push(placed);
      }
      if (findings.length > 0) faults.push(...bodyFaultsOf(mediaType)(findings, body));
      const seen = new Set<string>();
      return faults
        .filter((fault) => {
          const key = JSON.stringify(fault);
          return !seen.has(key) && seen.add(key);
        })
        .map((fault) => withRepetition(fault, query));
    },
    place(fault) {
      const placed = findPlace(fault);
      return 'keyword' in placed ? { pointer: placed.pointer, detail: placed.message } : placed;
    },
  };
}

/** Returns a better detail for a repeated parameter, which the validator reports as a list of the wrong type. */
function withRepetition(fault: Fault, query: Readonly<Record<string, unknown>>): Fault {
  const isRepeated = fault.parameter !== undefined && Array.isArray(query[fault.parameter]);
  return isRepeated && /^must be (?!array)/.test(fault.detail)
    ? { ...fault, detail: 'is given more than once' }
    : fault;
}

/** Removes unknown query parameters and returns their faults: the validator would stop at the first one. */
export function takeUnknownParameters({ query }: RequestParts, known: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  for (const name of Object.keys(query)) {
    if (known.has(name)) continue;
    delete query[name];
    if (faults.length >= faultsMax) continue;
    const hint = faults.length < hintsMax ? unknownNameHint(name, known) : '';
    const detail = isNameless(name) ? 'has no name' : 'is not a parameter of this operation';
    faults.push({ parameter: name, detail: `${detail}${hint && `.${hint}`}` });
  }
  return faults;
}

/** In double quotes a shell replaces `$top` by nothing, which leaves `=2`; curl may encode that, or send only the 2. */
function unknownNameHint(name: string, known: ReadonlySet<string>): string {
  if (isNameless(name)) return ` A shell replaces $name in double quotes by nothing: write it ${quoting}`;
  const isText = /^\d+$|\s/.test(name) && [...known].some((each) => each.startsWith('$'));
  return isText
    ? ` If it is the value of an option such as $top, write the option ${quoting}`
    : didYouMean(name, [...known]);
}

const isNameless = (name: string): boolean => /^=*$/.test(name);
const quoting = "in single quotes, as in '$top=2'.";
