import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';

/**
 * Writes and reads with the SQL statements of the version with the schema `0004-last-login`. Its documents lack `Pager`,
 * like those of a version before the member was added.
 */
export interface OldServer {
  /** Adds a person with a new GUID as key. */
  create(staffId: string, staffKey: string): Promise<void>;
  setCity(staffKey: string, city: string): Promise<void>;
  /** Adds the first tag of the company that the person lacks; returns false without one. */
  addTag(staffKey: string): Promise<boolean>;
  /** Returns the city in the stored document. */
  readCity(staffKey: string): Promise<string | null>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: each statement knows its columns.
type Run = (sql: string, ...values: unknown[]) => Promise<any[]>;

/** @param databaseEnv names the database like for a scheduling server */
export async function connectOldServer(
  databaseEnv: Readonly<Record<string, string>>,
  companyKey: string,
): Promise<OldServer> {
  const { ROSTERGATE_SCHEDULING_DATABASE_URL: url, ROSTERGATE_SCHEDULING_DATABASE_FILE: file = '' } = databaseEnv;
  const { run, lock, name, close } = url === undefined ? openSqlite(file) : await openPostgres(url, companyKey);
  const storeDocuments = readFileSync(new URL(`store-documents.${name}.sql`, import.meta.url), 'utf8');
  const flag = (value: boolean) => (name === 'sqlite' ? Number(value) : value);
  const now = () => new Date().toISOString().slice(0, -1);

  async function write<T>(work: () => Promise<{ row: number; key: string; result: T }>): Promise<T> {
    await lock();
    try {
      const { row, key, result } = await work();
      await run(storeDocuments, JSON.stringify([row]));
      await run(
        'insert into "audit" ("AtUtc", "CompanyKey", "Account", "RequestId", "Operation", "StaffKey", "ChangedFields") values ($1, $2, $3, $4, $5, $6, $7)',
        ...[now(), companyKey, 'old', randomUUID(), 'test', key, '[]'],
      );
      await run('commit');
      return result;
    } catch (error) {
      await run('rollback');
      throw error;
    }
  }

  const rowOf = async (staffKey: string): Promise<number> => {
    const [person] = await run('select * from "staff" where "CompKey" = $1 and "StaffKey" = $2', companyKey, staffKey);
    return Number(person.StaffRow);
  };
  const touch = (row: number) =>
    run(
      'update "staff" set "LastModifiedDateUtc" = $1, "Revision" = "Revision" + $2 where "StaffRow" in ($3)',
      ...[now(), 1, row],
    );

  return {
    create: (staffId, key) =>
      write(async () => {
        const [{ StaffRow }] = await run(
          'insert into "staff" ("Abbrev", "FirstName", "LastName", "IsActive", "IsAutoApproveSwap", "TextFromQuickLinks", "StaffId", "CompKey", "StaffKey", "LastModifiedDateUtc") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning "StaffRow"',
          ...[
            'CHANGEME',
            'CHANGEME',
            'CHANGEME',
            flag(true),
            flag(false),
            flag(false),
            staffId,
            companyKey,
            key,
            now(),
          ],
        );
        return { row: Number(StaffRow), key, result: undefined };
      }),
    setCity: (staffKey, city) =>
      write(async () => {
        const row = await rowOf(staffKey);
        await run('update "staff" set "City" = $1 where "StaffRow" = $2', city, row);
        await touch(row);
        return { row, key: staffKey, result: undefined };
      }),
    addTag: (staffKey) =>
      write(async () => {
        const row = await rowOf(staffKey);
        const [tag] = await run(
          'select "tags"."TagKey", "tags"."CategoryKey" from "tags" inner join "tag_categories" on "tag_categories"."CategoryKey" = "tags"."CategoryKey" where "tag_categories"."CompanyKey" = $1 and "tags"."TagKey" not in (select "TagKey" from "staff_tags" where "StaffRow" = $2) limit 1',
          ...[companyKey, row],
        );
        if (tag !== undefined) {
          await run(
            'insert into "staff_tags" ("StaffRow", "CategoryKey", "TagKey", "EffectiveFromDate", "EffectiveToDate") values ($1, $2, $3, $4, $5)',
            ...[row, Number(tag.CategoryKey), Number(tag.TagKey), '2026-01-01T00:00:00', '2100-01-01T00:00:00'],
          );
          await touch(row);
        }
        return { row, key: staffKey, result: tag !== undefined };
      }),
    async readCity(staffKey) {
      const [found] = await run(
        'SELECT d."Person" AS json FROM "staff" AS s JOIN "staff_documents" AS d ON d."StaffRow" = s."StaffRow" WHERE s."CompKey" = $1 AND s."StaffKey" = $2',
        ...[companyKey, staffKey],
      );
      return JSON.parse(`${found.json}}`).City;
    },
    close,
  };
}

interface Connection {
  readonly name: 'sqlite' | 'postgres';
  readonly run: Run;
  /** Begins a transaction with the write lock of the company. */
  readonly lock: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

function openSqlite(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
  const run: Run = async (sql, ...values) =>
    database.prepare(sql.replaceAll(/\$\d+/g, '?')).all(...(values as SQLInputValue[]));
  return { name: 'sqlite', run, lock: () => run('begin immediate'), close: async () => database.close() };
}

async function openPostgres(url: string, companyKey: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url, query_timeout: 10_000 });
  await client.connect();
  const run: Run = async (sql, ...values) => (await client.query(sql, values)).rows;
  const lock = async () => {
    await run('begin');
    await run(
      'select pg_advisory_xact_lock_shared(7210436001), pg_advisory_xact_lock(hashtextextended($1, 0))',
      companyKey,
    );
  };
  return { name: 'postgres', run, lock, close: () => client.end() };
}
