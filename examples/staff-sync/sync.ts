import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createStaffClient } from '@rostergate/staff-client';

const client = createStaffClient({
  baseUrl: process.env.STAFF_URL ?? 'http://127.0.0.1:8020',
  login: { email: 'sync@example.org', password: readFileSync('sync.password', 'utf8').trim() },
  companyKey: 'my-company',
});
const database = new DatabaseSync('copy.sqlite');
database.exec(`
  CREATE TABLE IF NOT EXISTS staff (key TEXT PRIMARY KEY, last_name TEXT, is_active INTEGER, person TEXT);
  CREATE TABLE IF NOT EXISTS sync (id INTEGER PRIMARY KEY CHECK (id = 1), token TEXT);
`);
const savePerson = database.prepare('INSERT OR REPLACE INTO staff VALUES (?, ?, ?, ?)');
const saveToken = database.prepare('INSERT OR REPLACE INTO sync VALUES (1, ?)');
const since = database.prepare('SELECT token FROM sync').get()?.token as string | undefined;

let received = 0;
for await (const { people, token } of client.changes({ since, pageSize: 500 })) {
  // People and token in one transaction: a program that is killed misses nothing.
  database.exec('BEGIN');
  for (const person of people) {
    savePerson.run(person.StaffKey, person.LastName ?? null, Number(person.IsActive), JSON.stringify(person));
  }
  saveToken.run(token);
  database.exec('COMMIT');
  received += people.length;
}
const { count } = database.prepare('SELECT count(*) AS count FROM staff').get() as { count: number };
console.log(`${received} received, ${count} in the table`);
