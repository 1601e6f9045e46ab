import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Random } from '../../../../apps/scheduling/src/demo/random.ts';
import { createClientModule } from '../clients/client-module.ts';
import { pageAt } from '../documents/pages.ts';

/** A local table that the program of the how-to page syncs in processes, most of which are killed. */
export interface KilledSync {
  /** Runs the program and kills it until `kills` processes were killed while they ran. */
  kill(kills: number, onKilled: (killed: number) => Promise<void>): Promise<void>;
  /** Runs the program until it has received everything; then returns the table and its history. */
  finish(): Promise<SyncedTable>;
}

export interface SyncedTable {
  /** The stored people as JSON, by key. */
  readonly copy: ReadonlyMap<string, string>;
  /** Number of times that a version of a person was stored again. */
  readonly repeated: number;
  /** Kills between two pages of one round. */
  readonly midRound: number;
}

export interface KilledSyncOptions {
  /** Each process syncs from one of these servers. */
  readonly urls: readonly string[];
  readonly companyKey: string;
  readonly token: string;
  readonly folder: string;
  readonly random: Random;
}

const page = 'docs/how-to/sync-a-local-table.md';
const runMsMax = 120_000;

/** Prepares the program of the page, with the credential of the scheduling API and smaller pages. */
export async function prepareSync({ urls, companyKey, token, folder, random }: KilledSyncOptions): Promise<KilledSync> {
  const name = 'sync-table.mjs';
  for (const [path, text] of Object.entries({ ...(await createClientModule()), [name]: forTrial(programOfPage()) })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  let midRound = 0;
  // How long a process runs after its start; kills fall evenly into this time.
  let runMs = 300;

  const start = (): ChildProcess => {
    const env = { BASE_URL: random.pick(urls), KEY: token, COMPANY_KEY: companyKey };
    return spawn(process.execPath, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const run = async (killAfterMs?: number): Promise<boolean> => {
    const child = start();
    const ended = once(child, 'exit');
    child.stdout?.resume();
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2_000);
    });
    const abandoned = AbortSignal.timeout(runMsMax);
    const kill = () => child.kill('SIGKILL');
    abandoned.addEventListener('abort', kill);
    await Promise.race([once(child.stdout as NodeJS.EventEmitter, 'data'), ended]);
    const startedMs = performance.now();
    const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
    const [code, signal] = await ended;
    clearTimeout(timer);
    abandoned.removeEventListener('abort', kill);
    if (abandoned.aborted) throw new Error(`A sync did not end within ${runMsMax} ms.`);
    if (signal === null && code !== 0) throw new Error(`A sync failed with exit code ${code}: ${errors}`);
    if (signal === null) runMs = performance.now() - startedMs;
    return signal !== null;
  };
  const open = () => new DatabaseSync(join(folder, 'staff.sqlite'));

  // The first run makes the tables. From then on a trigger records each version that is stored.
  await run();
  const database = open();
  database.exec(`
    CREATE TABLE stored (key TEXT, modified TEXT);
    CREATE TRIGGER store AFTER INSERT ON staff BEGIN
      INSERT INTO stored VALUES (new.key, json_extract(new.person, '$.LastModifiedDateUtc'));
    END;
  `);
  database.close();
  return {
    async kill(kills, onKilled) {
      for (let killed = 0, runs = 0; killed < kills; runs++) {
        if (runs > kills * 20) throw new Error(`Only ${killed} of ${runs} processes were killed before their end.`);
        if (!(await run(random.next() * runMs * 1.2))) continue;
        const now = open();
        const { token: at } = now.prepare('SELECT token FROM sync').get() as { token: string };
        now.close();
        if ((JSON.parse(at) as unknown[]).length > 2) midRound++;
        await onKilled(++killed);
      }
    },
    async finish() {
      // The first run ends the round that a kill interrupted, the second has the changes since that round began.
      await run();
      await run();
      const now = open();
      const rows = now.prepare('SELECT key, person FROM staff').all() as { key: string; person: string }[];
      const { repeated } = now
        .prepare('SELECT count(*) - count(DISTINCT key || modified) AS repeated FROM stored')
        .get() as { repeated: number };
      now.close();
      return { copy: new Map(rows.map(({ key, person }) => [key, person])), repeated, midRound };
    },
  };
}

function programOfPage(): string {
  const { text } = pageAt(page).blocks.find(({ language }) => language === 'js') ?? {};
  if (text === undefined) throw new Error(`${page} has no program.`);
  return text;
}

function forTrial(program: string): string {
  const replaced = {
    "'http://127.0.0.1:8010'": 'process.env.BASE_URL',
    'key: process.env.KEY': 'token: process.env.KEY, companyKey: process.env.COMPANY_KEY',
    'pageSize: 500': 'pageSize: 20',
  };
  let text = program;
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`The program of ${page} has no ${from}.`);
    text = text.replace(from, to);
  }
  return `console.log('started');\n${text}`;
}
