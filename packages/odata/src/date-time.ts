/*
 * Canonical text of dates and times. Comparing the text compares the time, in memory and in SQL.
 * Edm.DateTimeOffset `YYYY-MM-DDTHH:MM:SS[.f…]` in UTC without offset, Edm.Date `YYYY-MM-DD`,
 * Edm.TimeOfDay `HH:MM:SS[.f…]`. Fractions have no trailing zeros.
 */
const minuteOfDay = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const timeText = String.raw`(${minuteOfDay})(:(?:[0-5]\d|60))?(?:\.(\d+))?`;
const zoneText = String.raw`(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?`;
const dateTimeRule = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[T ]${timeText}${zoneText})?$`, 'i');
const timeRule = new RegExp(`^${timeText}$`);
const durationRule = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const minuteMs = 60_000;

export const dateTimeMin = '0001-01-01T00:00:00';
export const dateTimeMax = '9999-12-31T23:59:59.999999999999';

/** Returns the canonical form of a date with time. A plain date is midnight. Returns undefined for invalid text. */
export function canonicalDateTime(text: string): string | undefined {
  const match = dateTimeRule.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, clock = '00:00', seconds = ':00', fraction = '', zone = 'Z'] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  const tail = seconds + trimmedFraction(fraction);
  if (zone === 'Z' || zone === 'z') return `${year}-${month}-${day}T${clock}${tail}`;
  const offset = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  const local = Date.parse(`${year}-${month}-${day}T${clock}:00Z`);
  const utc = new Date(local - (zone[0] === '-' ? -offset : offset) * minuteMs);
  const utcYear = utc.getUTCFullYear();
  return utcYear < 1 || utcYear > 9999 ? undefined : utc.toISOString().slice(0, 16) + tail;
}

/** Returns `YYYY-MM-DD`, or undefined for an invalid date. */
export function canonicalDate(text: string): string | undefined {
  return canonicalDateTime(text)?.slice(0, 10);
}

/** Returns `HH:MM:SS[.f…]`, or undefined for an invalid time of day. */
export function canonicalTime(text: string): string | undefined {
  const match = timeRule.exec(text);
  if (match === null) return undefined;
  const [, clock, seconds = ':00', fraction = ''] = match;
  return clock + seconds + trimmedFraction(fraction);
}

/** Returns the seconds of an ISO 8601 day-time duration such as `P1DT12H`. */
export function durationSeconds(text: string): number | undefined {
  const match = durationRule.exec(text);
  if (match === null || /[PT]$/i.test(text)) return undefined;
  const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  const total = Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -total : total;
}

/** Adds seconds to a canonical date with time, to the millisecond. Returns undefined outside the years 1 to 9999. */
export function addSeconds(dateTime: string, seconds: number): string | undefined {
  const base = Date.parse(`${dateTime.slice(0, 19)}Z`);
  const fractionMs = Number(`0${dateTime.slice(19)}`) * 1000;
  const moved = new Date(Math.round(base + fractionMs + seconds * 1000));
  if (Number.isNaN(moved.getTime())) return undefined;
  const year = moved.getUTCFullYear();
  return year < 1 || year > 9999 ? undefined : canonicalDateTime(moved.toISOString());
}

/** Returns the seconds between two canonical dates with time, to the millisecond. */
export function secondsBetween(later: string, earlier: string): number {
  const ms = (text: string) => Date.parse(`${text.slice(0, 19)}Z`) + Math.round(Number(`0${text.slice(19)}`) * 1000);
  return (ms(later) - ms(earlier)) / 1000;
}

function trimmedFraction(digits: string): string {
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '' : `.${trimmed}`;
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
