import { bind, parseFilter, parseQueryOptions, toComparator, toPredicate, toSql } from '../src/index.ts';
import { mapping, people } from './people.ts';

/** Prints what the parts cost on this machine: `pnpm --filter @rostergate/odata bench`. */
const filter =
  "Key eq 'abc' and Name ne null and Seen ge 2024-01-01T00:00:00Z and Active eq true and Groups/any(g:g/Name eq 'Blue')";
const text = `$filter=${encodeURIComponent(filter)}`;
const query = bind(parseQueryOptions(`${text}&$orderby=Name desc`), people, 'Person');
const predicate = toPredicate(query);
const comparator = toComparator(query);
const rows = Array.from({ length: 1_000 }, (_, i) => ({
  ...{ Key: 'abc', Name: `name ${i % 97}`, Seen: '2024-05-01T00:00:00', Active: true },
  Groups: [{ Name: 'Blue' }],
}));
const boundless = { limits: { nodesMax: 1e9, listItemsMax: 1e9 } };

report('parse a filter of 5 clauses', () => parseFilter(filter));
report('parse and bind its query option', () => bind(parseQueryOptions(text), people, 'Person'));
report('write it as SQL', () => toSql(query, 'sqlite', { mapping }));
report('test 1,000 objects', () => rows.filter(predicate));
report('sort 1,000 objects', () => rows.toSorted(comparator));
for (const piece of ['(', 'not ', 'A eq 1 and ', "'", 'é']) {
  const hostile = `$filter=${piece.repeat(Math.floor(16_000 / piece.length))}`;
  report(`refuse 16 KB of ${JSON.stringify(piece)}`, () => refused(() => parseQueryOptions(hostile)));
  report(`the same, with no bound on nodes`, () => refused(() => parseQueryOptions(hostile, boundless)));
}

function refused(run: () => unknown): void {
  try {
    run();
  } catch {}
}

function report(name: string, run: () => unknown): void {
  const cost = () => {
    const started = performance.now();
    let runs = 0;
    while (performance.now() - started < 150) {
      run();
      runs++;
    }
    return ((performance.now() - started) * 1_000) / runs;
  };
  cost();
  console.log(`${Math.min(cost(), cost(), cost()).toFixed(1).padStart(10)} µs  ${name}`);
}
