import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenStore, openSqliteStore, openStore } from '@rostergate/scheduling';

export const companyKey = 'benchmark-company';
const staff = 1_000;
const tags = 5;
const skills = 4;

const rosters = new Map<number, Promise<string>>();

/** Returns the file of a database with companies of 1,000 people, 5 tags and 4 skills each; created once per run. */
export function loadRoster(companies: number): Promise<string> {
  let file = rosters.get(companies);
  if (file === undefined) {
    file = createRoster(companies);
    rosters.set(companies, file);
  }
  return file;
}

async function createRoster(companies: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-roster-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'roster.sqlite');
  await fill(await openSqliteStore({ file }), companies);
  return file;
}

/** Fills a PostgreSQL database with the same companies. */
export async function fillPostgres(url: string, companies: number): Promise<void> {
  const settings = { database_url: url, database_connections_max: 2, statement_timeout_ms: 60_000 };
  await fill(await openStore({ ...settings, database_file: '' }, { clock: Date.now }), companies);
}

async function fill({ store }: OpenStore, companies: number): Promise<void> {
  await store.seedDemo({ companyKey, companies, staff, otherStaff: staff, tags, skills });
  await store.close();
}
