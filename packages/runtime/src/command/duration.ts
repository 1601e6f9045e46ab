const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a duration such as `90d`, `12h` or `30m`; undefined for text that is none, and for none at all. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhdw])$/.exec(text.trim().toLowerCase());
  const durationMs = Number(match?.[1]) * (unitsMs[match?.[2] ?? ''] ?? Number.NaN);
  return durationMs > 0 ? durationMs : undefined;
}

/**
 * A moment still to come: a duration from now, a day (`2027-01-01`, which begins at midnight UTC) or a time of RFC 3339
 * with its offset. Undefined for any other text, for days no calendar has and for what has passed.
 */
export function parseFuture(text: string, nowMs: number): Date | undefined {
  const durationMs = parseDuration(text);
  const momentMs = durationMs === undefined ? parseMoment(text.trim()) : nowMs + durationMs;
  return momentMs > nowMs && momentMs < endMs ? new Date(momentMs) : undefined;
}

/** A moment that has been: a duration ago, a day or a time as `parseFuture` takes them. Undefined for any other text. */
export function parsePast(text: string, nowMs: number): Date | undefined {
  const durationMs = parseDuration(text);
  const momentMs = durationMs === undefined ? parseMoment(text.trim()) : nowMs - durationMs;
  return momentMs <= nowMs && momentMs >= beginMs ? new Date(momentMs) : undefined;
}

const beginMs = Date.UTC(1970, 0);
/** Beyond the year 9999 a time has no four-digit year, so no file could hold it. */
const endMs = Date.UTC(10_000, 0);

function parseMoment(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i.exec(text);
  if (match === null) return Number.NaN;
  const day = match[1] as string;
  // Date.parse takes a 30 February for a 2 March.
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== day) return Number.NaN;
  return Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
}
