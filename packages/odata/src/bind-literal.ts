import type { Literal } from './ast.ts';
import { outOfRange, unsupported } from './bind-faults.ts';
import type { BoundConstant } from './bound-ast.ts';
import { constant } from './bound-expressions.ts';
import { canonicalDate, canonicalDateTime, canonicalTime, durationSeconds } from './date-time.ts';
import type { PrimitiveType } from './model.ts';

const controlOrLone = /[\0\ud800-\udfff]/;

/** Returns the value of a literal. Throws when it is outside the range of its type. */
export function bindLiteral(literal: Literal): BoundConstant {
  const { value: text, offset } = literal;
  switch (literal.type) {
    case 'null':
      return constant('null', null);
    case 'Edm.Boolean':
      return constant('Edm.Boolean', text.length === 4);
    case 'Edm.Int64':
      return bindWholeNumber(text);
    case 'Edm.Decimal':
      return constant('Edm.Decimal', Number(text));
    case 'Edm.Double':
      return constant('Edm.Double', text === 'NaN' ? Number.NaN : text === 'INF' ? Infinity : -Infinity);
    case 'Edm.String':
      // Databases cannot store these characters, and some cut the text at a NUL.
      if (controlOrLone.test(text) && (text.includes('\0') || !text.isWellFormed())) {
        outOfRange('A string cannot contain U+0000 or half of a surrogate pair', offset);
      }
      return constant('Edm.String', text);
    case 'Edm.Guid':
      return constant('Edm.Guid', text.toLowerCase());
    case 'Edm.Date':
      return constant('Edm.Date', canonicalDate(text) ?? fail(literal, 'a day of the years 1 to 9999'));
    case 'Edm.DateTimeOffset':
      return constant('Edm.DateTimeOffset', canonicalDateTime(text) ?? fail(literal, 'a time of the years 1 to 9999'));
    case 'Edm.TimeOfDay':
      return constant('Edm.TimeOfDay', canonicalTime(text) ?? fail(literal, 'a time of day'));
    case 'Edm.Duration':
      return constant('Edm.Duration', finiteSeconds(text) ?? fail(literal, 'a duration such as P1DT12H'));
  }
  return unsupported(`A literal of ${literal.type}`, offset);
}

function finiteSeconds(text: string): number | undefined {
  const seconds = durationSeconds(text);
  return seconds !== undefined && Number.isFinite(seconds) ? seconds : undefined;
}

/** Whole numbers are exact up to 64 bits. Larger numbers become the nearest double. */
function bindWholeNumber(text: string): BoundConstant {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return constant('Edm.Int64', number === 0 ? 0 : number);
  const exact = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, exact) === exact ? constant('Edm.Int64', exact) : constant('Edm.Double', number);
}

function fail(literal: Literal, wanted: string): never {
  return outOfRange(`${literal.value} is not ${wanted}`, literal.offset);
}

const guidRule = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Converts a literal to `type` when the standard or common use allows it. Otherwise returns undefined. */
export function literalAs(literal: Literal, type: PrimitiveType): BoundConstant | undefined {
  switch (type) {
    case 'Edm.String':
      // An unquoted guid that is compared with a string is its exact text.
      return literal.type === 'Edm.Guid' ? constant('Edm.String', literal.value) : undefined;
    case 'Edm.Guid':
      return literal.type === 'Edm.String' && guidRule.test(literal.value)
        ? constant('Edm.Guid', literal.value.toLowerCase())
        : undefined;
    case 'Edm.DateTimeOffset':
      return literal.type === 'Edm.Date' ? bindLiteral({ ...literal, type: 'Edm.DateTimeOffset' }) : undefined;
    case 'Edm.Duration': {
      const seconds = literal.type === 'Edm.String' ? finiteSeconds(literal.value) : undefined;
      return seconds === undefined ? undefined : constant('Edm.Duration', seconds);
    }
  }
  return undefined;
}
