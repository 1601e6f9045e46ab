import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { toFigure } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { type MeantQuery, meantQuery, type Person } from '../src/promises/hostile/random-filters.ts';
import { startWatchedServers } from '../src/promises/hostile/watched-servers.ts';
import { inLanes } from '../src/promises/in-lanes.ts';

/** A case of the OASIS technical committee for a rule of the grammar. */
interface AbnfCase {
  readonly Rule: string;
  readonly Input: string;
  /** The first wrong position of an invalid input. */
  readonly FailAt?: number;
}

export const promise = definePromise({
  number: 25,
  title: 'OData results are right, or the query is rejected',
  done: 'Random queries at the scheduling server are compared with a hand-written evaluator; the cases of the OASIS committee are sent as well',
  target: '100% of the subset, else 400 or 501, never 500',
  async run({ atEnd, byScale, say, seed }) {
    const count = byScale({ ci: 1_000, full: 5_000 });
    const { all, credentials } = await startWatchedServers(atEnd);
    const { url, headers } = all.find(({ name }) => name === 'scheduling') as (typeof all)[number];
    const ask = async (options: string): Promise<{ readonly status: number; readonly body: unknown }> => {
      const response = await fetch(`${url}/v2/staffmember?companyKey=${credentials.COMPANY_KEY}&${options}`, {
        headers: { ...headers, Accept: 'application/json;odata.metadata=minimal' },
      });
      return { status: response.status, body: await response.json() };
    };
    const whole = await ask('includes=Tags,Skillset,Profiles');
    const people = (whole.body as { readonly value: readonly Person[] }).value;
    say(`${people.length} people`);

    let [rejected, found] = [0, 0];
    const compared = await inLanes(
      4,
      fc.sample(meantQuery, { numRuns: count, seed }),
      async ({ options, evaluate }) => {
        const text = String(new URLSearchParams(options));
        const { status, body } = await ask(text);
        if (status === 400 || status === 501) {
          rejected++;
          return undefined;
        }
        const { value, '@odata.count': total } = body as { value: Person[]; '@odata.count': number };
        const wanted = evaluate(people);
        const isRight =
          status === 200 &&
          total === wanted.count &&
          String(value.map(({ StaffKey }) => StaffKey)) === String(wanted.keys);
        if (wanted.count > 0 && wanted.count < people.length) found++;
        return isRight ? undefined : `${status}, ${total} instead of ${wanted.count}: ${describe(options)}`;
      },
    );
    const wrong = compared.filter((fault) => fault !== undefined);
    for (const fault of wrong) say(fault);

    const cases = readCases();
    const results = await inLanes(4, cases, async (one) => {
      const { status } = await ask(one.query);
      const isRejected = status === 400 || status === 501;
      return isRejected || (status === 200 && one.isValid) ? undefined : `${status}: ${one.query}`;
    });
    const misjudged = results.filter((fault) => fault !== undefined);
    for (const fault of misjudged) say(fault);
    return [
      toFigure({ name: 'wrong responses', unit: '', max: 0 }, wrong.length, wrong[0]),
      toFigure({ name: 'random queries compared', unit: '', min: count * 0.9 }, count - rejected),
      // A query that matches all people or none proves little.
      toFigure({ name: 'of them matched by some people', unit: '', min: count * 0.25 }, found),
      toFigure({ name: 'OASIS cases answered wrongly', unit: '', max: 0 }, misjudged.length, misjudged[0]),
      toFigure({ name: 'OASIS cases', unit: '', min: 250 }, cases.length),
    ];
  },
});

function describe(options: MeantQuery['options']): string {
  const { $filter = '', $orderby, $top, $skip } = options;
  return `${$filter} | ${$orderby} | ${$top} | ${$skip}`;
}

/** Returns the cases as queries of people. Most name unknown properties and are rejected. */
function readCases(): { readonly query: string; readonly isValid: boolean }[] {
  const file = new URL('../../../packages/odata/fixtures/odata-abnf-cases.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: AbnfCase[] };
  return cases.map(({ Rule, Input, FailAt }) => ({
    query: queryOf(Rule, Input),
    isValid: FailAt === undefined || isLiteral(Rule),
  }));
}

/** Returns the input as query options; an input that is no option becomes an expression in $filter. */
function queryOf(rule: string, input: string): string {
  const safe = input.replaceAll('#', '%23');
  if (rule === 'odataRelativeUri') return safe.slice(safe.indexOf('?') + 1);
  if (safe.startsWith('$') && safe.includes('=')) return safe;
  return wholeOptions.has(rule) ? safe : `$filter=${safe} eq ${safe}`;
}

/** An input that is no literal of one type can be one of another. */
const isLiteral = (rule: string) => !wholeOptions.has(rule) && !/Expr$|Uri$/.test(rule);

const wholeOptions = new Set([
  'queryOptions',
  'systemQueryOption',
  'filter',
  'orderby',
  'orderBy',
  'expand',
  'select',
  'search',
]);
