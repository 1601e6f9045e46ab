import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Edit, editStyles, swapFolder } from '../../../apps/gateway/test/running/edit-styles.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { endpointsText, fixedEndpoint, untilResponse } from '../src/promises/live-edits.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

export const promise = definePromise({
  number: 4,
  title: 'Every way to save a file is noticed',
  done: 'endpoints.json is written in place, by rename, moved away, deleted first, through a link, and as a Kubernetes volume that swaps its folder',
  excludes: 'time in which the gateway or the client waited for the CPU',
  target: 'each live in under 1 s',
  runsAlone: 'at full scale',
  async run({ byScale, say, atEnd }) {
    const rounds = byScale({ ci: 5, full: 50 });
    const gateway = await spawnGateway({ endpoints: [fixedEndpoint(0)] }, atEnd);
    const path = join(gateway.folder, 'endpoints.json');
    const stalls = watchStalls([gateway.child.pid as number, process.pid], atEnd);
    const bySwappedFolder: Edit = (_, text) => swapFolder(gateway.folder, { 'endpoints.json': text });
    let generation = 0;
    const slowestOf = async (edit: Edit) => {
      let slowestMs = 0;
      for (let i = 0; i < rounds; i++) {
        const startedMs = performance.now();
        await edit(path, endpointsText([fixedEndpoint(++generation)]));
        await untilResponse(gateway, generation);
        slowestMs = Math.max(slowestMs, stalls.lateMs(startedMs));
      }
      return slowestMs;
    };
    const figures = [];
    for (const [style, edit] of Object.entries(editStyles)) {
      figures.push(toFigure({ name: style, unit: 'ms', max: 1_000 }, await slowestOf(edit)));
      say(`${style} done`);
    }
    await bySwappedFolder(path, endpointsText([fixedEndpoint(++generation)]));
    await symlink(join('..data', 'endpoints.json'), `${path}.link`);
    await rename(`${path}.link`, path);
    await untilResponse(gateway, generation);
    figures.push(
      toFigure({ name: 'through a swapped folder', unit: 'ms', max: 1_000 }, await slowestOf(bySwappedFolder)),
    );
    return figures;
  },
});
