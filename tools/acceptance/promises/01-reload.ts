import { join } from 'node:path';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { judge } from '../../benchmark/src/figure.ts';
import { countAppliedUpTo } from '../src/promises/count-applied.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { endpointsText, fixedEndpoint } from '../src/promises/fixed-endpoint.ts';
import { keepAsking } from '../src/promises/keep-asking.ts';
import { untilAnswer } from '../src/promises/until-answer.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

const endpointsOf = (i: number) => [
  fixedEndpoint(i),
  fixedEndpoint('steady', '/steady'),
  ...Array.from({ length: 10 }, (_, n) => fixedEndpoint(n, `/of/${i % 5}/${n}`)),
];

export const promise = definePromise({
  number: 1,
  title: 'Reload drops nothing',
  done: 'kept and new connections ask without pause while endpoints.json changes',
  target: '0 failed in 1,000 reloads',
  async run({ often, say, atEnd }) {
    const reloads = often({ ci: 100, full: 1_000 });
    const gateway = await spawnGateway({ settings: { log_sample_every: 100_000 }, endpoints: endpointsOf(0) }, atEnd);
    const asking = keepAsking({ url: gateway.url, paths: ['/steady', '/answer', '/endpoints'], callers: 6 }, atEnd);
    for (let i = 1; i <= reloads; i++) {
      await renameOver(join(gateway.folder, 'endpoints.json'), endpointsText(endpointsOf(i)));
      await untilAnswer(gateway, i);
      if (i % 200 === 0) say(`${i} reloads`);
    }
    const { answers, failures } = await asking.end();
    return [
      judge({ name: 'requests failed', unit: '', max: 0 }, failures.length, failures[0]),
      judge({ name: 'answered', unit: '', min: reloads }, answers),
      judge({ name: 'reloads', unit: '', min: reloads }, await countAppliedUpTo(gateway, reloads)),
    ];
  },
});
