/**
 * Rules of the ABNF for literals (OData ABNF, section 7) as patterns. They are spelled without flags and look-around,
 * so that the linear matcher of `pattern.ts` can also tell where a text departs from them.
 */
const hex = '[0-9A-Fa-f]';
const year = '-?(?:0\\d{3}|[1-9]\\d{3,})';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const seconds = '(?::(?:[0-5]\\d|60)(?:\\.\\d{1,12})?)?';
const base64 = '[A-Za-z0-9_-]';
const whole = '\\d+';

export const date = `${year}-${month}-${day}`;
export const timeOfDay = clock + seconds;
export const zone = `(?:[Zz]|[+-]${clock})`;
export const dateTimeOffset = `${date}[Tt]${timeOfDay}${zone}`;
export const guid = `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`;
export const number = `[+-]?${whole}(?:\\.${whole})?(?:[Ee][+-]?${whole})?`;
export const infinity = '(?:-?INF|NaN)';
export const duration = `-?[Pp](?:${whole}[Dd])?(?:[Tt](?:${whole}[Hh])?(?:${whole}[Mm])?(?:${whole}(?:\\.${whole})?[Ss])?)?`;
export const binary = `(?:${base64}{4})*(?:${base64}{2}[AEIMQUYcgkosw048]=?|${base64}[AQgw](?:==)?)?`;
export const enumNumber = '[+-]?\\d{1,19}';
