import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  badConfigurations,
  badServices,
  bystander,
  good,
  goodServices,
} from '../../../apps/gateway/test/bad-configurations.ts';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce, startClients } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { countApplied } from '../src/promises/live-edits.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

export const promise = definePromise({
  number: 3,
  title: 'Invalid configuration is never applied',
  done: 'Under load, each file in turn is truncated, emptied, half-written, deleted, misspelt, saved with a BOM, or given a duplicate route, with valid services beside it; services exit, loop, throw late, or take all memory',
  target: '0 outages in 500 invalid files and every kind of invalid service, each rejected and logged',
  async run({ byScale, say, atEnd }) {
    const count = byScale({ ci: 20, full: 500 });
    const files: Readonly<Record<string, string>> = { ...good, ...goodServices };
    // A small heap rejects a service that takes all memory sooner.
    const gateway = await spawnGateway(
      { files, settings: {}, env: { NODE_OPTIONS: '--max-old-space-size=512' } },
      atEnd,
    );
    const asking = startClients(
      { url: gateway.url, paths: ['/answer', '/health', '/openapi.json'], callers: 2 },
      atEnd,
    );
    const rejections = () => gateway.log.filter(({ msg }) => msg?.startsWith('configuration rejected'));
    const applied = () => countApplied(gateway);
    const all = badConfigurations();
    const services = Array.from({ length: byScale({ ci: 1, full: 4 }) }, badServices).flat();
    const ofFiles = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
    const mutants = [...ofFiles, ...services];
    let before = applied();
    let [rejected, missed, appliedBad, visible, executed] = [0, 0, 0, 0, 0];
    let first: string | undefined;
    for (const [i, mutant] of mutants.entries()) {
      const { file, text, title } = mutant as (typeof all)[number];
      const path = join(gateway.folder, file);
      const seen = rejections().length;
      // Every tenth file is removed, and every fifth is written in place.
      if (i % 10 === 9 && i < count) await rm(path);
      else if (i % 5 === 4) await writeFile(path, text);
      else await renameOver(path, text);
      const isRejected = () =>
        rejections()
          .slice(seen)
          .some(({ faults }) => String(faults).includes(file));
      await pollUntil(isRejected, { withinMs: 20_000, everyMs: 10, describe: () => '' }).then(
        () => rejected++,
        () => {
          missed++;
          first ??= `${file} ${title}`;
        },
      );
      if (applied() !== before) {
        appliedBad++;
        first ??= `${file} ${title}`;
      }
      // A valid service beside an invalid file may run only in the process that validates it.
      if (i < count && i % 5 === 0) {
        const before = rejections().length;
        const service = join(gateway.folder, 'services/bystander.ts');
        await renameOver(service, bystander(i));
        await pollUntil(() => rejections().length > before, {
          withinMs: 20_000,
          everyMs: 10,
          describe: gateway.output,
        });
        const loadedBy = await readFile(join(gateway.folder, 'loaded'), 'utf8').catch(() => '');
        if (loadedBy.split('\n').includes(String(gateway.child.pid))) {
          executed++;
          first ??= `${file} ${title}`;
        }
        await rm(service);
      }
      // A lazy import of the accepted service runs for the first time while the rejected text is on disk.
      if (i >= count && (await askOnce(`${gateway.url}/late`)).text !== '"accepted"') {
        visible++;
        first ??= `${file} ${title}`;
      }
      await renameOver(path, files[file] as string);
      const isGood = async () =>
        JSON.parse((await askOnce(`${gateway.url}/health/ready`)).text).dependencies.configuration.status === 'ready';
      await pollUntil(isGood, { withinMs: 20_000, everyMs: 10, describe: gateway.output });
      before = applied();
      if (i % 100 === 99) say(`${i + 1} invalid files`);
    }
    const { failures, answers: responses } = await asking.end();
    return [
      toFigure({ name: 'requests failed', unit: '', max: 0 }, failures.length, failures[0]),
      toFigure({ name: 'invalid files applied', unit: '', max: 0 }, appliedBad, first),
      toFigure({ name: 'rejections not logged', unit: '', max: 0 }, missed, first),
      toFigure({ name: 'rejected services executed', unit: '', max: 0 }, executed, first),
      toFigure({ name: 'rejected text served', unit: '', max: 0 }, visible, first),
      toFigure({ name: 'invalid files rejected', unit: '', min: mutants.length }, rejected),
      toFigure({ name: 'responses', unit: '', min: count }, responses),
    ];
  },
});
