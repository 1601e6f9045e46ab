/** A tag of one category and its period, as dates are stored. Null: no start, or no end. */
export interface TagPeriod {
  readonly TagKey: number;
  readonly EffectiveFromDate: string | null;
  readonly EffectiveToDate: string | null;
}

/** The end date of periods without an end. */
export const farOff = '2100-01-01T00:00:00';

/**
 * Returns the tags of one category after a tag is set from a date on: each tag ends where the next begins. A tag with
 * the same start is replaced. If the tag was set before, its old period first goes to the tag before it.
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

/** Extends the tag that ended where the removed one began: it takes over that period. */
function closeGap(others: readonly TagPeriod[], gone: TagPeriod): TagPeriod[] {
  const start = startOf(gone);
  return others.map((period) =>
    startOf(period) < start && endOf(period) === start ? { ...period, EffectiveToDate: gone.EffectiveToDate } : period,
  );
}

const startOf = ({ EffectiveFromDate }: TagPeriod): string => EffectiveFromDate ?? '';
const endOf = ({ EffectiveToDate }: TagPeriod): string => EffectiveToDate ?? farOff;
