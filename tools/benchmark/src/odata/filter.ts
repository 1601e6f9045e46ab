import { bind, parseQueryOptions, toComparator, toPredicate, toSql } from '@rostergate/odata';
import { mapping, people } from '../../../../packages/odata/test/people.ts';
import { type Figure, judge } from '../figure.ts';
import { costUs } from './cost.ts';

const filter =
  "Key eq 'abc' and Name ne null and Seen ge 2024-01-01T00:00:00Z and Active eq true and Groups/any(g:g/Name eq 'Blue')";
/** As it stands in a URL. */
export const filterText = `$filter=${encodeURIComponent(filter)}`;

/** What a filter of five clauses costs from its text in the URL to a tree that is known to fit the model. */
export async function measureFilter(say: (text: string) => void): Promise<readonly Figure[]> {
  const query = bind(parseQueryOptions(`${filterText}&$orderby=Name desc`), people, 'Person');
  const predicate = toPredicate(query);
  const comparator = toComparator(query);
  const rows = Array.from({ length: 1_000 }, (_, i) => ({
    ...{ Key: 'abc', Name: `name ${i % 97}`, Seen: '2024-05-01T00:00:00', Active: true },
    Groups: [{ Name: 'Blue' }],
  }));
  const others: Readonly<Record<string, () => unknown>> = {
    'parse it': () => parseQueryOptions(filterText),
    'write it as SQL': () => toSql(query, 'sqlite', { mapping }),
    'test 1,000 objects': () => rows.filter(predicate),
    'sort 1,000 objects': () => rows.toSorted(comparator),
  };
  const bound = { name: 'odata: parse and bind a filter of 5 clauses', max: 12, unit: 'µs' };
  const figure = judge(
    bound,
    costUs(() => bind(parseQueryOptions(filterText), people, 'Person')),
  );
  for (const [name, run] of Object.entries(others)) say(`${costUs(run, 5).toFixed(1)} µs to ${name}`);
  return [figure];
}
