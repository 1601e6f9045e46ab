import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { removedHoursMax, type UsageDelta, type UsageQuery, type UsageRow, type UsageStore } from './usage-store.ts';

/** How long a statement waits for another process that writes. It blocks this process, so a flush rather fails. */
const lockMs = 100;
const lockTriesMax = 20;
/** Rows that one transaction removes, so that requests are served between two. */
const removedMax = 1_000;

const tables = `
  CREATE TABLE IF NOT EXISTS usage (
    hour INTEGER NOT NULL, owner TEXT NOT NULL, key TEXT NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (hour, owner, key, operation, status)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS usage_writers (
    writer TEXT NOT NULL PRIMARY KEY, sequence INTEGER NOT NULL, hour INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Opens a file of counts, which several processes of a machine may share. */
export async function openSqliteUsageStore(file: string): Promise<UsageStore> {
  const db = new DatabaseSync(file, { timeout: lockMs });
  try {
    // A killed process loses nothing that it has written; a machine without power may lose the last flush.
    await retryLocked(() => db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables}`));
    return createStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a file of counts to read it. @throws when the file does not exist */
export function readSqliteUsageStore(file: string): Pick<UsageStore, 'read' | 'close'> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  return { read: (query) => readIn(db, query), close: async () => db.close() };
}

function createStore(db: DatabaseSync): UsageStore {
  const note = db.prepare(`
    INSERT INTO usage_writers AS known (writer, sequence, hour) VALUES (?, ?, unixepoch() / 3600)
    ON CONFLICT DO UPDATE SET sequence = excluded.sequence, hour = excluded.hour
      WHERE known.sequence < excluded.sequence
  `);
  const add = db.prepare(`
    INSERT INTO usage AS known (hour, owner, key, operation, status, requests) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET requests = known.requests + excluded.requests
  `);
  const remove = db.prepare(`
    DELETE FROM usage WHERE (hour, owner, key, operation, status) IN (
      SELECT hour, owner, key, operation, status FROM usage WHERE hour < ? LIMIT ${removedMax})
  `);
  const findOldest = db.prepare('SELECT min(hour) AS hour FROM usage');
  const removeWriters = db.prepare('DELETE FROM usage_writers WHERE hour < ?');

  const addNow = ({ writer, sequence, counts }: UsageDelta): void => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const isNew = note.run(writer, sequence).changes === 1;
      if (isNew) {
        for (const { hour, owner, key, operation, status, requests } of counts) {
          add.run(hour, owner, key, operation, status, requests);
        }
      }
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };

  return {
    async add(delta) {
      addNow(delta);
      await nextTurn();
    },
    read: (query) => readIn(db, query),
    async removeBefore(hour) {
      const oldest = findOldest.get()?.hour as number | null;
      const end = oldest === null ? hour : Math.min(hour, oldest + removedHoursMax);
      while (Number(remove.run(end).changes) > 0) await nextTurn();
      removeWriters.run(end);
    },
    async close() {
      db.close();
    },
  };
}

/** Reads one day after the other, so that requests are served between them. */
async function readIn(db: DatabaseSync, query: UsageQuery): Promise<readonly UsageRow[]> {
  const { owner, fromHour, toHour, intervalHours, by, rowsMax } = query;
  const parts = by.map((part) => `, ${part}`).join('');
  // The hours of an owner are looked up one by one; those of all owners are one range.
  const where =
    owner === undefined ? 'hour >= ?1 AND hour < ?2' : 'hour IN (SELECT value FROM generated) AND owner = ?3';
  const generated = `WITH RECURSIVE generated (value) AS (
    SELECT ?1 UNION ALL SELECT value + 1 FROM generated WHERE value + 1 < ?2)`;
  const select = db.prepare(`
    ${owner === undefined ? '' : generated}
    SELECT hour - hour % ${intervalHours} AS hour${parts}, sum(requests) AS requests
    FROM usage WHERE ${where} GROUP BY 1${by.map((_, i) => `, ${i + 2}`).join('')}
    ORDER BY 1${by.map((_, i) => `, ${i + 2}`).join('')} LIMIT ${rowsMax}
  `);
  const rows: UsageRow[] = [];
  for (let start = fromHour; start < toHour && rows.length < rowsMax; ) {
    const end = Math.min(toHour, start - (start % 24) + 24);
    const found = select.all(start, end, ...(owner === undefined ? [] : [owner])) as unknown as UsageRow[];
    for (const row of found) rows.push({ ...row });
    start = end;
    await nextTurn();
  }
  return rows.slice(0, rowsMax);
}

/** Repeats what fails because several processes open a new file at once. */
async function retryLocked(run: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      run();
      return;
    } catch (error) {
      const isLocked = ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
      if (!isLocked || tries === lockTriesMax) throw error;
      await pause(50, undefined, { ref: false });
    }
  }
}
