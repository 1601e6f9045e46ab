/** A tag of one category from a date until another, as dates are kept. Null: since ever, or without an end. */
export interface TagPeriod {
  readonly TagKey: number;
  readonly EffectiveFromDate: string | null;
  readonly EffectiveToDate: string | null;
}

/** The end of what has no end. */
export const farOff = '2100-01-01T00:00:00';

/**
 * The tags of one category once a tag is set from a date on: one follows the other, and ends where the next begins. One
 * with the same start is replaced. A tag that was there already leaves its place to the one before it first.
 */
export function applyTagPeriod(periods: readonly TagPeriod[], tagKey: number, from: string): TagPeriod[] {
  const before = periods.find((period) => period.TagKey === tagKey);
  const others = periods.filter((period) => period !== before);
  const rest = before === undefined ? others : closeGap(others, before);
  const following = rest.map(startOf).filter((start) => start > from);
  const to = [...following, farOff].sort()[0] as string;
  return [
    ...rest
      .filter((period) => startOf(period) !== from)
      .map((period) =>
        startOf(period) < from && endOf(period) > from ? { ...period, EffectiveToDate: from } : period,
      ),
    { TagKey: tagKey, EffectiveFromDate: from, EffectiveToDate: to },
  ];
}

/** Whoever ended where the tag began ended for the tag's sake: it lasts on in its place. */
function closeGap(others: readonly TagPeriod[], gone: TagPeriod): TagPeriod[] {
  const start = startOf(gone);
  return others.map((period) =>
    startOf(period) < start && endOf(period) === start ? { ...period, EffectiveToDate: gone.EffectiveToDate } : period,
  );
}

const startOf = ({ EffectiveFromDate }: TagPeriod): string => EffectiveFromDate ?? '';
const endOf = ({ EffectiveToDate }: TagPeriod): string => EffectiveToDate ?? farOff;
