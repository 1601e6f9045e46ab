import { cpuPerRequest } from '../cost-per-request.ts';
import { type Figure, median, toFigure } from '../figure.ts';
import { companyKey, loadRoster } from './roster.ts';
import { type Scheduling, startScheduling } from './scheduling.ts';

const rounds = 9;
const requestsPerRound = 1_500;
const properties = ['StaffId', 'LastName', 'Npi', 'Email'];

/** Compares a filter on an indexed property with 100 companies to the same with one company. */
export async function measureFilter(say: (text: string) => void): Promise<readonly Figure[]> {
  const servers = [
    await startScheduling({ file: await loadRoster(100) }),
    await startScheduling({ file: await loadRoster(1) }),
  ] as const;
  const figures: Figure[] = [];
  try {
    for (const property of properties) {
      const values = await valuesOf(servers[1], property);
      const path = (n: number) => {
        const filter = encodeURIComponent(`${property} eq '${values[n % values.length]?.replaceAll("'", "''")}'`);
        return `/v2/staffmember?companyKey=${companyKey}&$filter=${filter}`;
      };
      const asked = servers.map((server) => ({ server, path, headers: server.headers }));
      for (const one of asked) await cpuPerRequest(one, requestsPerRound);
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const [many, few] = [
          await cpuPerRequest(asked[0] as (typeof asked)[number], requestsPerRound),
          await cpuPerRequest(asked[1] as (typeof asked)[number], requestsPerRound),
        ];
        ratios.push(many / few);
        say(`${property}: ${many.toFixed(1)} µs with 100 companies, ${few.toFixed(1)} µs with one`);
      }
      const bound = { name: `scheduling: $filter=${property} eq, 100 companies to 1`, max: 1.2, unit: '×' };
      const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} in ${rounds} rounds`;
      figures.push(toFigure(bound, median(ratios), spread));
    }
  } finally {
    for (const server of servers) await server.stop();
  }
  return figures;
}

/** Returns values of the property in the company that both servers have. */
async function valuesOf({ url, headers }: Scheduling, property: string): Promise<string[]> {
  const path = `/v2/staffmember?companyKey=${companyKey}&$top=200&$select=${property}&$filter=${property} ne null`;
  const people = (await fetch(url + path, { headers }).then((response) => response.json())) as Record<string, string>[];
  return people.map((person) => String(person[property]));
}
