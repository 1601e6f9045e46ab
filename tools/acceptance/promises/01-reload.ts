import { join } from 'node:path';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { startClients } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { countAppliedUpTo, endpointsText, fixedEndpoint, untilResponse } from '../src/promises/live-edits.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

const endpointsOf = (i: number) => [
  fixedEndpoint(i),
  fixedEndpoint('steady', '/steady'),
  ...Array.from({ length: 10 }, (_, n) => fixedEndpoint(n, `/of/${i % 5}/${n}`)),
];

export const promise = definePromise({
  number: 1,
  title: 'Reload drops nothing',
  done: 'Clients send requests without pause, on new and on kept-alive connections, while endpoints.json changes',
  target: '0 failed in 1,000 reloads',
  async run({ byScale, say, atEnd }) {
    const reloads = byScale({ ci: 100, full: 1_000 });
    const gateway = await spawnGateway({ settings: { log_sample_every: 100_000 }, endpoints: endpointsOf(0) }, atEnd);
    const asking = startClients({ url: gateway.url, paths: ['/steady', '/answer', '/endpoints'], callers: 6 }, atEnd);
    for (let i = 1; i <= reloads; i++) {
      await renameOver(join(gateway.folder, 'endpoints.json'), endpointsText(endpointsOf(i)));
      await untilResponse(gateway, i);
      if (i % 200 === 0) say(`${i} reloads`);
    }
    const { answers: responses, failures } = await asking.end();
    return [
      toFigure({ name: 'requests failed', unit: '', max: 0 }, failures.length, failures[0]),
      toFigure({ name: 'responses', unit: '', min: reloads }, responses),
      toFigure({ name: 'reloads', unit: '', min: reloads }, await countAppliedUpTo(gateway, reloads)),
    ];
  },
});
