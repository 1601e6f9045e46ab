/** Returns a property of the API as text. */
export function textOf(value) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return dayOf(text) ?? text;
}

/** Returns the flags of a profile as text. */
export function flagsOf({ IsViewable, IsSchedulable }) {
  return (
    [IsViewable && 'can view', IsSchedulable && 'can be scheduled'].filter(Boolean).join(', ') ||
    'cannot view or be scheduled'
  );
}

/** Returns the day of a date at midnight. */
function dayOf(text) {
  return /^(\d{4}-\d\d-\d\d)T00:00:00$/.exec(text ?? '')?.[1];
}

/** Returns a period as text; an end far in the future is none. */
export function span(from, to) {
  const [since, until] = [dayOf(from) ?? from, dayOf(to) ?? to];
  const end = until === null || until >= '2100' ? '' : ` until ${until}`;
  return `${since === null ? '' : `since ${since}`}${end}`.trim() || 'always';
}
