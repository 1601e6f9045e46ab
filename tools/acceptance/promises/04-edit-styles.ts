import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judge } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { type Edit, editStyles } from '../src/promises/edit-file.ts';
import { endpointsText, fixedEndpoint } from '../src/promises/fixed-endpoint.ts';
import { untilAnswer } from '../src/promises/until-answer.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

/** As a cluster mounts configuration: the file is a link through a folder that is a link, which alone is replaced. */
const bySwappedFolder: Edit = async (path, text) => {
  const folder = join(path, '..');
  const version = `..${process.hrtime.bigint()}`;
  await mkdir(join(folder, version));
  await writeFile(join(folder, version, 'endpoints.json'), text);
  await symlink(version, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
};

export const promise = definePromise({
  number: 4,
  title: 'Every edit style is noticed',
  done: 'in place, by rename, moved away, deleted first, by a link, by the folder that a cluster swaps',
  target: 'each in under 1 s',
  async run({ often, say, atEnd }) {
    const rounds = often({ ci: 5, full: 50 });
    const gateway = await spawnGateway({ endpoints: [fixedEndpoint(0)] }, atEnd);
    const path = join(gateway.folder, 'endpoints.json');
    let answer = 0;
    const slowestOf = async (edit: Edit) => {
      let slowestMs = 0;
      for (let i = 0; i < rounds; i++) {
        const startedMs = performance.now();
        await edit(path, endpointsText([fixedEndpoint(++answer)]));
        await untilAnswer(gateway, answer);
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      }
      return slowestMs;
    };
    const figures = [];
    for (const [style, edit] of Object.entries(editStyles)) {
      figures.push(judge({ name: style, unit: 'ms', max: 1_000 }, await slowestOf(edit)));
      say(`${style} done`);
    }
    await bySwappedFolder(path, endpointsText([fixedEndpoint(++answer)]));
    await symlink(join('..data', 'endpoints.json'), `${path}.link`);
    await rename(`${path}.link`, path);
    await untilAnswer(gateway, answer);
    figures.push(judge({ name: 'by a swapped folder', unit: 'ms', max: 1_000 }, await slowestOf(bySwappedFolder)));
    return figures;
  },
});
