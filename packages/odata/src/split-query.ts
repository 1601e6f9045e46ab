import { ODataError, type ODataErrorCode } from './odata-error.ts';

export interface RawOption {
  /** Decoded. */
  readonly name: string;
  /** Decoded. Undefined without `=`. */
  readonly value: string | undefined;
  /** Offsets of the undecoded name in the query. 0 for URLSearchParams. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Converts an offset in the decoded value to an offset in the undecoded query. */
  queryOffset(valueOffset: number): number | undefined;
  /** Returns whether the character at an offset of the value was percent-encoded. Undefined for URLSearchParams. */
  readonly isEncoded: ((valueOffset: number) => boolean) | undefined;
}

/** Splits a query at `&` and at the first `=`, and decodes each part once. `+` is a space. */
export function splitQuery(query: string | URLSearchParams, strict: boolean): RawOption[] {
  if (typeof query !== 'string') {
    return Array.from(query, ([name, value]) => ({
      name,
      value,
      nameStart: 0,
      nameEnd: 0,
      queryOffset: () => undefined,
      isEncoded: undefined,
    }));
  }
  const options: RawOption[] = [];
  let start = 0;
  while (start <= query.length) {
    const end = query.indexOf('&', start) < 0 ? query.length : query.indexOf('&', start);
    if (end > start && !(strict && query[start] === '=')) options.push(rawOption(query, start, end));
    else if (strict) {
      throw atQuery('syntax', 'a query option', start);
    }
    start = end + 1;
  }
  return options;
}

function rawOption(query: string, start: number, end: number): RawOption {
  const equals = query.indexOf('=', start);
  const nameEnd = equals < 0 || equals > end ? end : equals;
  const valueStart = nameEnd + 1;
  let walk: ((valueOffset: number) => number) | undefined;
  const queryOffset = (valueOffset: number): number => {
    walk ??= offsetWalk(query, valueStart, end);
    return walk(valueOffset);
  };
  return {
    name: decode(query, start, nameEnd),
    value: nameEnd === end ? undefined : decode(query, valueStart, end),
    nameStart: start,
    nameEnd,
    queryOffset,
    isEncoded: (valueOffset) => query[queryOffset(valueOffset)] === '%',
  };
}

function decode(query: string, start: number, end: number): string {
  const text = query.slice(start, end);
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw atQuery('invalid_encoding', 'percent-encoded UTF-8', start + invalidOffset(text));
  }
}

function atQuery(code: ODataErrorCode, expected: string, offset: number): ODataError {
  const error = new ODataError(code, `Expected ${expected} at offset ${offset} of the query.`, {
    offset,
    expected: [expected],
  });
  error.queryOffset = offset;
  return error;
}

/** Returns the offset of the first escape sequence that does not decode. */
function invalidOffset(text: string): number {
  const runs = /(?:%[0-9A-Fa-f]{2})+|%/g;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    try {
      decodeURIComponent(run[0]);
    } catch {
      return run.index;
    }
  }
  return 0;
}

/**
 * Returns a function from an offset in the decoded value to an offset in the query. It continues from its last position,
 * so a series of ascending offsets costs one pass.
 */
function offsetWalk(query: string, start: number, end: number): (valueOffset: number) => number {
  let at = start;
  let units = 0;
  return (valueOffset) => {
    if (valueOffset < units) {
      at = start;
      units = 0;
    }
    while (units < valueOffset && at < end) {
      if (query.charCodeAt(at) !== 37) {
        at++;
        units++;
        continue;
      }
      const first = Number.parseInt(query.slice(at + 1, at + 3), 16);
      const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      at += 3 * bytes;
      units += bytes === 4 ? 2 : 1;
    }
    return Math.min(at, end);
  };
}
