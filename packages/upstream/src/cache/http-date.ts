/**
 * Returns the milliseconds since the epoch of an HTTP-date (RFC 9110 §5.6.7): IMF-fixdate, RFC 850 or asctime, always
 * in UTC. Returns undefined for anything else. `nowMs` decides the century of a year with two digits.
 */
export function parseHttpDate(value: string | undefined, nowMs: number): number | undefined {
  // The longest form is "Wednesday, 06-Nov-94 08:49:37 GMT".
  if (value === undefined || value.length < 24 || value.length > 33) return undefined;
  const match = imfFixdate.exec(value) ?? rfc850.exec(value) ?? asctime.exec(value);
  if (match === null) return undefined;
  const { day, month, year, hour, minute, second } = match.groups as Record<string, string>;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  // 60 is a leap second.
  if (h > 23 || m > 59 || s > 60) return undefined;
  const dayOf = (fullYear: number) => dayMs(fullYear, months.indexOf(month as string), Number(day));
  const dayStartMs = year?.length === 2 ? recentDay(Number(year), nowMs, dayOf) : dayOf(Number(year));
  return dayStartMs === undefined ? undefined : dayStartMs + ((h * 60 + m) * 60 + s) * 1_000;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthName = `(?<month>${months.join('|')})`;
const weekday = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)';
const longWeekday = '(?:Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday)';
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

const imfFixdate = new RegExp(`^${weekday}, (?<day>\\d\\d) ${monthName} (?<year>\\d{4}) ${time} GMT$`);
const rfc850 = new RegExp(`^${longWeekday}, (?<day>\\d\\d)-${monthName}-(?<year>\\d\\d) ${time} GMT$`);
const asctime = new RegExp(`^${weekday} ${monthName} (?<day>\\d\\d| \\d) ${time} (?<year>\\d{4})$`);

/** Returns undefined for a day that does not exist, such as 31 June. */
function dayMs(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Resolves a two-digit year: at most 50 years ahead, otherwise in the past. */
function recentDay(twoDigits: number, nowMs: number, dayOf: (year: number) => number | undefined): number | undefined {
  const now = new Date(nowMs);
  const limit = new Date(nowMs).setUTCFullYear(now.getUTCFullYear() + 50);
  const century = Math.floor(now.getUTCFullYear() / 100) * 100;
  for (const year of [century + 100 + twoDigits, century + twoDigits, century - 100 + twoDigits]) {
    const day = dayOf(year);
    if (day !== undefined && day <= limit) return day;
  }
  return undefined;
}
