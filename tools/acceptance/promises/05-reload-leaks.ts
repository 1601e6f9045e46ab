import { join } from 'node:path';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { countAppliedUpTo, endpointsText, fixedEndpoint, untilResponse } from '../src/promises/live-edits.ts';
import { inspectable, type Resources, readCollectedResources } from '../src/promises/read-resources.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

/** The share of the reloads between the first and the last samples. */
const betweenThem = 0.6;

const endpointsOf = (i: number) => [
  fixedEndpoint(i),
  { path: '/own', service: 'own' },
  ...Array.from({ length: 20 }, (_, n) => fixedEndpoint(n, `/of/${i % 7}/${n}`)),
];

/** Returns one of two versions of the service. Each is loaded once, because Node cannot unload a module. */
const service = (text: string) => `import { defineService, z } from 'rostergate';
export default defineService({ name: 'own', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '${text}' });
`;

export const promise = definePromise({
  number: 5,
  title: 'Reload leaks nothing',
  done: 'endpoints.json changes, and a service alternates between two versions of its code, as Node cannot unload a module; files, handles and heap are compared after a fifth of the reloads and at the end',
  target: 'no growth over 5,000 reloads',
  async run({ byScale, say, atEnd }) {
    const reloads = byScale({ ci: 200, full: 5_000 });
    const gateway = await spawnGateway(
      {
        settings: { log_level: 'info', log_sample_every: 1_000_000 },
        endpoints: endpointsOf(0),
        files: { 'services/own.ts': service('even') },
        env: inspectable,
      },
      atEnd,
    );
    const early: Resources[] = [];
    const late: Resources[] = [];
    for (let i = 1; i <= reloads; i++) {
      if (i % 50 === 0) {
        const odd = i % 100 === 0 ? 'even' : 'odd';
        await renameOver(join(gateway.folder, 'services/own.ts'), service(odd));
      }
      await renameOver(join(gateway.folder, 'endpoints.json'), endpointsText(endpointsOf(i)));
      await untilResponse(gateway, i);
      const part = i / reloads;
      const samples = part > 0.8 ? late : part > 0.2 && part <= 0.4 ? early : undefined;
      if (i % (reloads / 50) === 0) samples?.push(await readCollectedResources(gateway));
      if (i % 500 === 0) say(`${i} reloads`);
    }
    const least = (of: readonly Resources[], what: keyof Resources) => Math.min(...of.map((one) => one[what]));
    const growth = (what: keyof Resources) => least(late, what) - least(early, what);
    const heap = [...early, ...late].map(({ heapBytes }) => heapBytes).join(' ');
    return [
      toFigure({ name: 'more files', unit: '', max: 0 }, growth('files')),
      toFigure({ name: 'more handles and timers', unit: '', max: 0 }, growth('resources')),
      // The data that the engine collects about hot code is the same for few reloads and for many.
      toFigure(
        { name: 'more heap per reload', unit: 'bytes', max: byScale({ ci: 20_000, full: 1_400 }) },
        growth('heapBytes') / (reloads * betweenThem),
        heap,
      ),
      toFigure({ name: 'reloads', unit: '', min: reloads }, await countAppliedUpTo(gateway, reloads)),
    ];
  },
});
