import { type Figure, judge, spread } from '../figure.ts';
import type { Run } from '../main.ts';
import { compareForwarding, ours, theirs } from '../proxy/forward.ts';
import { guardedMax } from './recorded-ratios.ts';

/** A forwarded read of the staff proxy beside a peer that only forwards. */
export async function guardForwarding(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const bound = { name: `guard: CPU of ${ours} to ${theirs}`, max: guardedMax('forwardingToPeer'), unit: '×' };
  const compared = await compareForwarding(
    {
      ...{ title: 'guard: forwarded reads', warmSeconds: 3, rounds: 4 },
      isEnough: ({ quietest }) => quietest(ours, theirs) <= bound.max,
    },
    say,
  );
  record(compared);
  return [judge(bound, compared.quietest(ours, theirs), spread(compared.ratios(ours, theirs)))];
}
