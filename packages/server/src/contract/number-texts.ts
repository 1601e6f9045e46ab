import { escapeStep, type OpenApiDocument, type ParameterObject, reachableComponents } from './openapi.ts';

/** The parts of a request by their names in the validator's paths: parameters by name, or the body as `''`. */
export type ValuesByPart = Readonly<Record<'query' | 'params' | 'headers' | 'body', Readonly<Record<string, unknown>>>>;

export interface NumberFault {
  readonly path: string;
  readonly message: string;
}

/** Returns the faults of numbers whose texts do not denote exactly these numbers. */
export type CheckNumberTexts = (texts: ValuesByPart, values: ValuesByPart) => NumberFault[];

/**
 * Returns the check of an operation's numeric parameters and form fields; undefined when it has none. The validator
 * converts as JavaScript does, which accepts `0x10`, `Infinity` and a space as numbers and rounds long ones. Where the
 * texts are forwarded, long integers and leading zeros are accepted: their values are not used here.
 */
export function createNumberTextCheck(
  document: OpenApiDocument,
  parameters: readonly ParameterObject[],
  form: unknown,
  forwardsTexts: boolean,
): CheckNumberTexts | undefined {
  const integers = new Set<string>();
  let hasNumbers = false;
  for (const { in: place, name, ...definition } of [...parameters, { in: 'body', name: '', form }]) {
    const text = JSON.stringify([definition, reachableComponents(document, definition)]);
    const allowsNumber = text.includes('"number"');
    if (allowsNumber || text.includes('"integer"')) hasNumbers = true;
    const part = place === 'path' ? 'params' : place === 'header' ? 'headers' : place;
    if (!allowsNumber) integers.add(pathOf(part, part === 'headers' ? name.toLowerCase() : name));
  }
  if (!hasNumbers) return undefined;

  function* faultsIn(text: unknown, value: unknown, isInteger: boolean, path: string): Generator<NumberFault> {
    if (typeof value === 'number') {
      const message = typeof text === 'string' ? describeFault(text, value, isInteger, forwardsTexts) : undefined;
      if (message !== undefined) yield { path, message };
    } else if (typeof value === 'object' && value !== null) {
      const texts = membersOf(text, value);
      for (const [name, member] of Object.entries(value)) {
        yield* faultsIn(Object.hasOwn(texts, name) ? texts[name] : undefined, member, isInteger, pathOf(path, name));
      }
    }
  }

  return (texts, values) => {
    const faults: NumberFault[] = [];
    for (const part of ['params', 'query', 'headers', 'body'] as const) {
      for (const [name, value] of Object.entries(values[part])) {
        // The members of an exploded object are parameters of their own.
        const text = Object.hasOwn(texts[part], name) ? texts[part][name] : texts[part];
        const isInteger = integers.has(pathOf(part, name));
        faults.push(...faultsIn(text, value, isInteger, part === 'body' ? '/body' : `/${pathOf(part, name)}`));
      }
    }
    return faults;
  };
}

/** More characters than any number needs: the largest has 309 digits. */
const numberTextMax = 400;

/** Parses a number by the grammar of JSON (RFC 8259 §6); undefined for other texts and for longer or larger ones. */
export function parseJsonNumber(text: string): number | undefined {
  if (text.length > numberTextMax || !jsonNumber.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the exact value of a decimal number; undefined for a non-integer and one longer than `numberTextMax`. */
export function parseExactInteger(text: string): bigint | undefined {
  if (text.length > numberTextMax) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts.exec(text) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  if (end === 0) return 0n;
  const zeros = Number(exponent) + whole.length - end;
  if (zeros < 0 || zeros > numberTextMax) return undefined;
  return BigInt(`${sign}${all.slice(0, end)}${'0'.repeat(zeros)}`);
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const pathOf = (above: string, name: string) => `${above}/${escapeStep(name)}`;

function describeFault(text: string, value: number, isInteger: boolean, forwardsTexts: boolean): string | undefined {
  if (text.length > numberTextMax) return tooLong;
  const type = isInteger ? 'must be integer' : 'must be number';
  if (parseJsonNumber(forwardsTexts ? text.replace(/^(-?)0+(?=\d)/, '$1') : text) === undefined) return type;
  if (!isInteger && !wholeNumber.test(text)) return undefined;
  const exact = parseExactInteger(text);
  if (exact === undefined) return type;
  return forwardsTexts || exact === BigInt(value) ? undefined : notExact;
}

const tooLong = `is too long: send a number of at most ${numberTextMax} characters`;
const wholeNumber = /^-?\d+$/;
const notExact = `has more digits than can be stored: send an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** Returns the texts of a list or object, which may have been sent as one text: as JSON or with delimiters. */
function membersOf(text: unknown, value: object): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return Object(text ?? {}) as Record<string, unknown>;
  const json = parseJson(text);
  if (json !== undefined) return json;
  if (!Array.isArray(value)) {
    const pieces = text.split(',');
    return Object.fromEntries(pieces.flatMap((name, i) => (i % 2 === 0 ? [[name, pieces[i + 1]]] : [])));
  }
  const lists = value.length === 1 ? [[text]] : [',', '|', ' '].map((delimiter) => text.split(delimiter));
  return { ...lists.find((list) => list.length === value.length) };
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
