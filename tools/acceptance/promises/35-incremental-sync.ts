import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createRandom } from '../../../apps/scheduling/src/demo/random.ts';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { makeTemporaryFolder } from '../src/at-end.ts';
import { askAs } from '../src/promises/ask-as.ts';
import { createChangePoller, createDeltaFollower } from '../src/promises/change-poller.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { prepareSync } from '../src/promises/kill-syncs.ts';
import { openStaffServers, tryBothDatabases } from '../src/promises/staff-servers.ts';
import { followWebhook, webhookSettings } from '../src/promises/webhook-follower.ts';
import { serverPrograms } from '../src/server-programs.ts';

const writers = 8;
const run = promisify(execFile);

export const promise = definePromise({
  number: 35,
  title: 'Incremental sync misses nothing',
  done: 'Two servers on one database, one with its clock an hour behind, take writes of 8 clients and imports of the same people. One client polls sinceModifiedTimestamp with the newest LastModifiedDateUtc it has received, another one page by page, a third follows the delta links of a filtered list, each from both servers in turn. A receiver reads what the messages of a webhook name, and fails or loses some responses. The program of the how-to page syncs a table, in processes that are killed 200 times. The copies and the table are compared with the company, on SQLite and on PostgreSQL',
  target: '0 missed of 10,000 writes, 0 missed and 0 stored twice after 200 kills',
  run: (trial) => tryBothDatabases(trial, tryDatabase),
});

async function tryDatabase(
  name: string,
  databaseEnv: Readonly<Record<string, string>>,
  { byScale, seed, random, atEnd, say }: Trial,
): Promise<Figure[]> {
  const writes = byScale({ ci: 1_000, full: 10_000 });
  const imports = byScale({ ci: 2, full: 10 });
  const kills = byScale({ ci: 5, full: 200 });
  const servers = await openStaffServers(databaseEnv, atEnd);
  const preload = new URL('../src/promises/behind-clock.ts', import.meta.url).href;
  const ahead = await servers.start(webhookSettings);
  const behind = await servers.start({ ...webhookSettings, NODE_OPTIONS: `--import=${preload}` });
  const headers = await servers.logIn(ahead);
  const { companyKey } = servers;
  const urls = [ahead.url, behind.url];
  const asks = urls.map((url) => askAs(url, headers));
  const common = { urls, companyKey, headers };
  const whole = createChangePoller(common);
  const paged = createChangePoller({ ...common, pageSize: 20 });
  const filtered = `$filter=${encodeURIComponent("contains(City,'1')")}&$select=StaffKey,City,LastModifiedDateUtc`;
  const delta = createDeltaFollower(common, filtered);
  const webhook = await followWebhook({ ...common, databaseEnv, atEnd });
  const token = headers.Authorization.replace('Bearer ', '');
  const folder = await makeTemporaryFolder('rostergate-synced-table-', atEnd);
  const synced = await prepareSync({ urls, companyKey, token, folder, random: createRandom(`${seed} ${name}`) });

  // Draws all input before the writers start, because their order depends on the servers, not on the seed.
  const changes = Array.from({ length: writes }, () => ({
    ask: random.pick(asks),
    isNew: random.chance(0.2),
    place: random.next(),
  }));
  const files = Array.from({ length: imports }, (_, i) =>
    Array.from({ length: 600 }, (_, n) => `S-${random.integer(0, 300)}-${n},Import ${i}`),
  );

  const keys: string[] = [];
  let [sent, acknowledged, imported, killed] = [0, 0, 0, 0];
  let isOver = false;
  const rejections = new Set<string>();
  const write = async () => {
    // Writes go on as long as processes are killed.
    while (sent < writes || killed < kills) {
      if (sent >= writes) await wait(20);
      const number = sent++;
      const { ask, isNew, place } = changes[number % writes] as (typeof changes)[number];
      const isAdded = isNew || keys.length < 50;
      const path = isAdded ? '' : `/${keys[Math.floor(place * keys.length)]}`;
      const json = isAdded ? { StaffId: `S-${number}` } : { City: `City ${number}` };
      for (;;) {
        const { status, body } = await ask(`/v2/staffmember${path}`, { method: isAdded ? 'POST' : 'PUT', json });
        if (status === 200 || status === 201) {
          acknowledged++;
          if (isAdded) keys.push(body.StaffKey);
          break;
        }
        rejections.add(`${status} ${body.code}`);
        await wait(20);
      }
    }
  };
  const importAll = async () => {
    for (const rows of files) {
      const file = join(ahead.folder, 'roster.csv');
      await writeFile(file, `StaffId,City\n${rows.join('\n')}\n`);
      const args = ['--conditions=source', serverPrograms.scheduling.file, 'import', file, '--company', companyKey];
      const { stdout } = await run(process.execPath, [...args, '--json'], { env: { ...process.env, ...databaseEnv } });
      imported += JSON.parse(stdout).rows;
    }
  };
  const follow = async ({ poll }: { poll(): Promise<void> }) => {
    while (!isOver) await poll();
    await poll();
  };
  const following = Promise.all([follow(whole), follow(paged), follow(delta)]);
  const ticking = setInterval(
    () => say(`${name}: ${acknowledged} writes, ${imported} imported, ${killed} kills`),
    5_000,
  );
  const killAll = async () => {
    // A failed sync ends the writes, too.
    await synced.kill(kills, spread).finally(() => {
      killed = kills;
    });
  };
  const spread = async (count: number) => {
    killed = count;
    while (acknowledged * kills < count * writes && !isOver) await wait(20);
  };
  await Promise.all([importAll(), killAll(), ...Array.from({ length: writers }, write)]).finally(() => {
    clearInterval(ticking);
    isOver = true;
  });
  await following;
  const table = await synced.finish();

  const list = `/v2/staffmember?companyKey=${companyKey}`;
  const people = (await asks[0]?.(list))?.body as { StaffKey: string }[];
  const withTags = (await asks[0]?.(`${list}&$expand=Tags`))?.body as { StaffKey: string }[];
  const matching = (await asks[0]?.(`${list}&${filtered}`))?.body as { StaffKey: string }[];
  const wrong = matching.filter((person) => delta.copy.get(person.StaffKey) !== JSON.stringify(person));
  const missedRows = withTags.filter((person) => table.copy.get(person.StaffKey) !== JSON.stringify(person));
  const missedBy = (copy: ReadonlyMap<string, string>) =>
    people.filter((person) => copy.get(person.StaffKey) !== JSON.stringify(person));
  await webhook.settle(() => missedBy(webhook.copy).length === 0);
  const missedByWebhook = missedBy(webhook.copy);
  const unclear = [...rejections].filter((rejection) => rejection !== '503 unavailable');
  return [
    ...[whole, paged].map(({ copy }, i) => {
      const missed = missedBy(copy);
      const how = `missed ${i === 0 ? 'at once' : 'page by page'} with ${name}`;
      return toFigure({ name: how, unit: '', max: 0 }, missed.length, JSON.stringify(missed[0])?.slice(0, 200));
    }),
    toFigure(
      { name: `missed by delta links with ${name}`, unit: '', max: 0 },
      wrong.length + Math.abs(delta.copy.size - matching.length),
      JSON.stringify(wrong[0])?.slice(0, 200),
    ),
    toFigure(
      { name: `missed by a webhook with ${name}`, unit: '', max: 0 },
      missedByWebhook.length + Math.abs(webhook.copy.size - people.length),
      JSON.stringify(missedByWebhook[0])?.slice(0, 200),
    ),
    toFigure({ name: `messages without a valid signature with ${name}`, unit: '', max: 0 }, webhook.forged),
    toFigure({ name: `messages rejected or lost with ${name}`, unit: '', min: 3 }, webhook.failed),
    toFigure({ name: `twice in a round of delta links with ${name}`, unit: '', max: 0 }, delta.repeated),
    toFigure(
      { name: `missed by the table after ${kills} kills with ${name}`, unit: '', max: 0 },
      missedRows.length + Math.abs(table.copy.size - withTags.length),
      JSON.stringify(missedRows[0])?.slice(0, 200),
    ),
    toFigure({ name: `stored twice by the table with ${name}`, unit: '', max: 0 }, table.repeated),
    toFigure(
      { name: `kills between two pages of a round with ${name}`, unit: '', min: byScale({ ci: 0, full: 20 }) },
      table.midRound,
    ),
    toFigure(
      { name: `rejected with a wrong error with ${name}`, unit: '', max: 0 },
      unclear.length,
      unclear.join(', '),
    ),
    toFigure({ name: `writes with ${name}`, unit: '', min: writes }, acknowledged),
    toFigure({ name: `imported with ${name}`, unit: '', min: 600 * imports }, imported),
    toFigure({ name: `polls with ${name}`, unit: '', min: 20 }, Math.min(whole.polls, paged.polls, delta.polls)),
  ];
}
