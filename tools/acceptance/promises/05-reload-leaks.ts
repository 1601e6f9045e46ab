import { join } from 'node:path';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { judge } from '../../benchmark/src/figure.ts';
import { countAppliedUpTo } from '../src/promises/count-applied.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { endpointsText, fixedEndpoint } from '../src/promises/fixed-endpoint.ts';
import { type Holdings, heldForGood } from '../src/promises/held-by.ts';
import { inspectable } from '../src/promises/live-heap.ts';
import { untilAnswer } from '../src/promises/until-answer.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

/** The part of all reloads that lies between the first samples and the last. */
const betweenThem = 0.6;

const endpointsOf = (i: number) => [
  fixedEndpoint(i),
  { path: '/own', service: 'own' },
  ...Array.from({ length: 20 }, (_, n) => fixedEndpoint(n, `/of/${i % 7}/${n}`)),
];

/** One of two versions: each is loaded once, as no module of Node can be unloaded. */
const service = (answer: string) => `import { defineService, z } from 'rostergate';
export default defineService({ name: 'own', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '${answer}' });
`;

export const promise = definePromise({
  number: 5,
  title: 'Reload leaks nothing',
  done: 'endpoints.json changes, and the code of a service between two texts, as no module of Node can be unloaded; files, handles and heap after a fifth of it and at the end',
  target: 'no growth over 5,000',
  async run({ often, say, atEnd }) {
    const reloads = often({ ci: 200, full: 5_000 });
    const gateway = await spawnGateway(
      {
        settings: { log_level: 'info', log_sample_every: 1_000_000 },
        endpoints: endpointsOf(0),
        files: { 'services/own.ts': service('even') },
        env: inspectable,
      },
      atEnd,
    );
    const early: Holdings[] = [];
    const late: Holdings[] = [];
    for (let i = 1; i <= reloads; i++) {
      if (i % 50 === 0) {
        const odd = i % 100 === 0 ? 'even' : 'odd';
        await renameOver(join(gateway.folder, 'services/own.ts'), service(odd));
      }
      await renameOver(join(gateway.folder, 'endpoints.json'), endpointsText(endpointsOf(i)));
      await untilAnswer(gateway, i);
      const part = i / reloads;
      const samples = part > 0.8 ? late : part > 0.2 && part <= 0.4 ? early : undefined;
      if (i % (reloads / 50) === 0) samples?.push(await heldForGood(gateway));
      if (i % 500 === 0) say(`${i} reloads`);
    }
    const least = (of: readonly Holdings[], what: keyof Holdings) => Math.min(...of.map((one) => one[what]));
    const growth = (what: keyof Holdings) => least(late, what) - least(early, what);
    const heap = [...early, ...late].map(({ heapBytes }) => heapBytes).join(' ');
    return [
      judge({ name: 'more files', unit: '', max: 0 }, growth('files')),
      judge({ name: 'more handles and timers', unit: '', max: 0 }, growth('resources')),
      // What the engine itself learns of code that has run more often is the same for few reloads and for many.
      judge(
        { name: 'more heap for each reload', unit: 'bytes', max: often({ ci: 20_000, full: 1_400 }) },
        growth('heapBytes') / (reloads * betweenThem),
        heap,
      ),
      judge({ name: 'reloads', unit: '', min: reloads }, await countAppliedUpTo(gateway, reloads)),
    ];
  },
});
