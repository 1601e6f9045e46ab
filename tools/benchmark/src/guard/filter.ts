import { bind, parseQueryOptions } from '@rostergate/odata';
import { people } from '../../../../packages/odata/test/people.ts';
import { type Figure, judge } from '../figure.ts';
import { costUs } from '../odata/cost.ts';
import { filterText } from '../odata/filter.ts';
import { guardedMax } from './recorded-ratios.ts';

/** A filter of five clauses from text to a tree, beside the engine's own reader of such a tree. */
export async function guardFilter(say: (text: string) => void): Promise<readonly Figure[]> {
  const read = () => bind(parseQueryOptions(filterText), people, 'Person');
  const json = JSON.stringify(read());
  const [ours, engine] = [costUs(read, 8), costUs(() => JSON.parse(json), 8)];
  say(`${ours.toFixed(1)} µs, ${engine.toFixed(1)} µs for JSON.parse of its tree`);
  const bound = {
    name: 'guard: parse and bind a filter of 5 clauses to JSON.parse of its tree',
    max: guardedMax('filterToJson'),
    unit: '×',
  };
  return [judge(bound, ours / engine)];
}
