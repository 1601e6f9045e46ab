import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// Its own package tries them too, and tools may look into any room.
import {
  badConfigurations,
  badServices,
  bystander,
  good,
  goodServices,
} from '../../../apps/gateway/test/bad-configurations.ts';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { judge } from '../../benchmark/src/figure.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask-once.ts';
import { countApplied } from '../src/promises/count-applied.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { keepAsking } from '../src/promises/keep-asking.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

export const promise = definePromise({
  number: 3,
  title: 'Bad config is never applied',
  done: 'each file in turn cut short, emptied, half-written, deleted, misspelt, with a BOM or a route twice, good services beside them, and services that exit, loop, throw later or take all memory, under load',
  target: '0 outages in 500 mutants and every kind of bad service, each rejected and logged',
  async run({ often, say, atEnd }) {
    const count = often({ ci: 50, full: 500 });
    const files: Readonly<Record<string, string>> = { ...good, ...goodServices };
    // A service that takes all memory is rejected the sooner.
    const gateway = await spawnGateway(
      { files, settings: {}, env: { NODE_OPTIONS: '--max-old-space-size=512' } },
      atEnd,
    );
    const asking = keepAsking({ url: gateway.url, paths: ['/answer', '/health', '/openapi.json'], callers: 2 }, atEnd);
    const rejections = () => gateway.log.filter(({ msg }) => msg?.startsWith('configuration rejected'));
    const applied = () => countApplied(gateway);
    const all = badConfigurations();
    const services = Array.from({ length: often({ ci: 1, full: 4 }) }, badServices).flat();
    const ofFiles = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
    const mutants = [...ofFiles, ...services];
    let before = applied();
    let [rejected, missed, appliedBad, visible, run] = [0, 0, 0, 0, 0];
    let first: string | undefined;
    for (const [i, mutant] of mutants.entries()) {
      const { file, text, title } = mutant as (typeof all)[number];
      const path = join(gateway.folder, file);
      const seen = rejections().length;
      // The last of each ten files is removed, and each fifth is written in place.
      if (i % 10 === 9 && i < count) await rm(path);
      else if (i % 5 === 4) await writeFile(path, text);
      else await renameOver(path, text);
      const isRejected = () =>
        rejections()
          .slice(seen)
          .some(({ faults }) => String(faults).includes(file));
      await pollUntil(isRejected, { withinMs: i < count ? 5_000 : 20_000, everyMs: 10, describe: () => '' }).then(
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
      // A good service beside a bad file: it may run in the trial alone.
      if (i < count && i % 5 === 0) {
        const told = rejections().length;
        const service = join(gateway.folder, 'services/bystander.ts');
        await renameOver(service, bystander(i));
        await pollUntil(() => rejections().length > told, { withinMs: 20_000, everyMs: 10, describe: gateway.said });
        const loadedBy = await readFile(join(gateway.folder, 'loaded'), 'utf8').catch(() => '');
        if (loadedBy.split('\n').includes(String(gateway.child.pid))) {
          run++;
          first ??= `${file} ${title}`;
        }
        await rm(service);
      }
      // Its lazy import runs for the first time while the rejected text is on disk.
      if (i >= count && (await askOnce(`${gateway.url}/late`)).text !== '"accepted"') {
        visible++;
        first ??= `${file} ${title}`;
      }
      await renameOver(path, files[file] as string);
      const isGood = async () =>
        JSON.parse((await askOnce(`${gateway.url}/health/ready`)).text).dependencies.configuration.status === 'ready';
      await pollUntil(isGood, { withinMs: 20_000, everyMs: 10, describe: gateway.said });
      before = applied();
      if (i % 100 === 99) say(`${i + 1} mutants`);
    }
    const { failures, answers } = await asking.end();
    return [
      judge({ name: 'requests failed', unit: '', max: 0 }, failures.length, failures[0]),
      judge({ name: 'mutants applied', unit: '', max: 0 }, appliedBad, first),
      judge({ name: 'not logged', unit: '', max: 0 }, missed, first),
      judge({ name: 'rejected services run', unit: '', max: 0 }, run, first),
      judge({ name: 'rejected text served', unit: '', max: 0 }, visible, first),
      judge({ name: 'mutants rejected', unit: '', min: mutants.length }, rejected),
      judge({ name: 'answered', unit: '', min: count }, answers),
    ];
  },
});
