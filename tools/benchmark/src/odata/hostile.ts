import { bind, ODataError, parseQueryOptions } from '@rostergate/odata';
import { hostileQueries } from '../../../../packages/odata/test/hostile.ts';
import { people } from '../../../../packages/odata/test/people.ts';
import { type Figure, judge } from '../figure.ts';
import { costUs } from './cost.ts';

const boundless = { lengthMax: 1e9, nodesMax: 1e9, listItemsMax: 1e9, itemsMax: 1e9 };
const size = 16_000;

/** What 16 KB that mean harm cost until they are refused: the worst of all shapes, with the limits and without. */
export async function measureHostile(say: (text: string) => void): Promise<readonly Figure[]> {
  return [
    worst('odata: refuse 16 KB of hostile text', {}, say),
    worst('odata: read 16 KB of hostile text with no limit on size', boundless, say),
  ];
}

function worst(name: string, limits: object, say: (text: string) => void): Figure {
  const costs = Object.entries(hostileQueries).map(([shape, create]) => {
    const query = create(size);
    return { shape, ms: costUs(() => read(query, limits), 3, 15_000) / 1_000 };
  });
  const [most, ...others] = costs.sort((a, b) => b.ms - a.ms);
  for (const { shape, ms } of others.slice(0, 3)) say(`${ms.toFixed(2)} ms for ${shape}`);
  return judge({ name, max: 5, unit: 'ms' }, most?.ms ?? Number.NaN, `${most?.shape}, of ${costs.length} shapes`);
}

function read(query: string, limits: object): void {
  try {
    bind(parseQueryOptions(query, { limits }), people, 'Person', { nodesMax: 100_000 });
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
  }
}
