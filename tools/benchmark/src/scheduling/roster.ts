import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@rostergate/scheduling';

export const companyKey = 'benchmark-company';
const staff = 1_000;
const tags = 5;
const skills = 4;

const made = new Map<number, Promise<string>>();

/** A database of so many companies of 1,000 people, 5 tags and 4 skills each: made once a run, and gone with it. */
export function loadRoster(companies: number): Promise<string> {
  let file = made.get(companies);
  if (file === undefined) {
    file = createRoster(companies);
    made.set(companies, file);
  }
  return file;
}

async function createRoster(companies: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-roster-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'roster.sqlite');
  const { store } = await openSqliteStore({ file });
  await store.seedDemo({ companyKey, companies, staff, otherStaff: staff, tags, skills });
  await store.close();
  return file;
}
