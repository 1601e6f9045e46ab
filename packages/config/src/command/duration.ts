const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a duration such as `90d`, `12h` or `30m` to milliseconds; undefined for other text and for zero. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhdw])$/.exec(text.trim().toLowerCase());
  const durationMs = Number(match?.[1]) * (unitsMs[match?.[2] ?? ''] ?? Number.NaN);
  return durationMs > 0 ? durationMs : undefined;
}

/**
 * Parses a future time: a duration from now, a day (`2027-01-01`, from midnight UTC) or an RFC 3339 time with offset.
 * Undefined for other text, for invalid days and for past times.
 */
export function parseFuture(text: string, nowMs: number): Date | undefined {
  const durationMs = parseDuration(text);
  const timeMs = durationMs === undefined ? parseTime(text.trim()) : nowMs + durationMs;
  return timeMs > nowMs && timeMs < endMs ? new Date(timeMs) : undefined;
}

/** Parses a past time: a duration ago, a day or a time as in `parseFuture`. Undefined for other text. */
export function parsePast(text: string, nowMs: number): Date | undefined {
  const durationMs = parseDuration(text);
  const timeMs = durationMs === undefined ? parseTime(text.trim()) : nowMs - durationMs;
  return timeMs <= nowMs && timeMs >= beginMs ? new Date(timeMs) : undefined;
}

const beginMs = Date.UTC(1970, 0);
/** After the year 9999 a time has no four-digit year. */
const endMs = Date.UTC(10_000, 0);

function parseTime(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i.exec(text);
  if (match === null) return Number.NaN;
  const day = match[1] as string;
  // Date.parse reads 30 February as 2 March.
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== day) return Number.NaN;
  return Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
}
