import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { KeyEditError, type KeyRecord, type RawKeyEntry, type RawKeysFile } from '../keys/index.ts';
import {
  type AuditEntry,
  emptyStore,
  type KeyCursor,
  type KeyKind,
  type KeyReader,
  type KeyStore,
  KeyStoreError,
  pageKeys,
} from './key-store.ts';
import { parseStoredJson, parseStoredKey, requireEntry } from './parse-stored-key.ts';
import { checkEdit, hintsMax, namesOf, type PlannedEdit, planEdit, uniqueEntries } from './planned-edit.ts';

export interface PostgresKeyStoreOptions {
  readonly url: string;
  readonly kind: KeyKind;
  /** Checks the keys that an edit has changed, as the text of a file; throws a ConfigError. */
  readonly check?: (text: string, place: string) => void;
}

const connectMs = 2_000;
const readMs = 2_000;
const editMs = 5_000;
/** How long the database waits for the next statement of an edit. */
const idleMs = 3_000;

/** Returns values as PostgreSQL sends them. */
const asTexts = { types: { getTypeParser: () => (value: string) => value } };

/** The tables of a kind of keys. */
type Tables = ReturnType<typeof tablesOf>;

function tablesOf({ prefix }: KeyKind) {
  const name = `rostergate_${prefix}key` as const;
  return { keys: `${name}s`, audit: `${name}_audit`, head: `${name}_head` } as const;
}

/** Names compare by their bytes: a page continues after a name. A writer holds the row of the head, one at a time. */
const createQuery = ({ keys, audit, head }: Tables) => `
CREATE TABLE IF NOT EXISTS ${keys} (
  name text COLLATE "C" PRIMARY KEY,
  owner text NOT NULL,
  revision bigint NOT NULL,
  plan text,
  entry jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS ${keys}_by_revision ON ${keys} (revision, name);
CREATE INDEX IF NOT EXISTS ${keys}_by_owner ON ${keys} (owner);
CREATE TABLE IF NOT EXISTS ${audit} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  name text NOT NULL,
  owner text NOT NULL,
  changes jsonb NOT NULL
);
CREATE TABLE IF NOT EXISTS ${head} (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  epoch text NOT NULL,
  revision bigint NOT NULL
);`;

/**
 * Returns the query of a page: one row with a list of each field, because a million rows cost several times what their
 * lists do. The database takes the entries apart: that takes it less time than this thread, which serves requests.
 */
function changesQueryOf({ keys }: Tables, { attributes }: KeyKind): string {
  const pairs = attributes.map((field) => `'${field}', entry->'${field}'`);
  const more = pairs.length === 0 ? [] : [`jsonb_strip_nulls(jsonb_build_object(${pairs.join()}))::text`];
  const fields = ['sha256', 'scopes', 'expires_at', 'revoked_at'].map((field) => `entry->>'${field}'`);
  const lists = ['name', 'owner', 'plan', ...fields, ...more].map((field) => `json_agg(${field})`);
  return `
SELECT max(revision), ${lists.join(', ')}
FROM (SELECT * FROM ${keys} WHERE (revision, name) > ($1, $2) ORDER BY revision, name LIMIT $3) AS page`;
}

/** The last revision, and the texts of the lists in the order of the query; nulls without any keys. */
type StoredPage = readonly (string | null)[];

type List = readonly (string | null)[];

const parseList = (text: string | null | undefined): List => (text == null ? [] : (JSON.parse(text) as List));

function parsePage(names: List, lists: readonly (string | null)[], kind: KeyKind): (KeyRecord | undefined)[] {
  const [owners, plans, digests, scopes, expires, revoked, attributes] = lists.map(parseList);
  return names.map((name, i) => {
    const fields = {
      name,
      owner: owners?.[i],
      sha256: digests?.[i],
      scopes: scopesOf(scopes?.[i]),
      expires_at: expires?.[i],
      revoked_at: revoked?.[i],
    };
    return parseStoredKey(fields, plans?.[i], attributes?.[i] ?? undefined, kind);
  });
}

const knownScopes = new Map<string, unknown>();
const knownScopesMax = 1_000;

/** Returns the scopes of a JSON text; false when they are invalid. Most keys have the same ones. */
function scopesOf(text: string | null | undefined): unknown {
  if (text == null) return null;
  if (knownScopes.has(text)) return knownScopes.get(text);
  if (knownScopes.size >= knownScopesMax) knownScopes.clear();
  const scopes = parseStoredJson(text) ?? false;
  knownScopes.set(text, scopes);
  return scopes;
}

/**
 * Returns the keys in a PostgreSQL database. It uses neither named statements nor settings of a session, so that it works
 * behind PgBouncer in transaction mode. The first edit creates the tables; readers need SELECT alone.
 */
export async function openPostgresKeyStore(options: PostgresKeyStoreOptions): Promise<KeyStore & KeyReader> {
  const { url, kind, check } = options;
  const tables = tablesOf(kind);
  const changesQuery = changesQueryOf(tables, kind);
  const { default: driver } = await import('pg');
  const pool = new driver.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: connectMs,
    query_timeout: editMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'rostergate-keys',
  });
  // The next query reports a lost connection; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  /** The next page, which the database reads while this thread parses the one before. */
  let ahead: { readonly after: KeyCursor; readonly page: Promise<StoredPage> } | undefined;

  async function readPage({ revision, name }: KeyCursor): Promise<StoredPage> {
    const [page = []] = await read<StoredPage>(changesQuery, [revision, name, pageKeys], editMs, asTexts);
    return page;
  }

  /** Returns rows as arrays, which are parsed faster. */
  async function read<R>(text: string, values: readonly unknown[] = [], withinMs = readMs, types = {}): Promise<R[]> {
    try {
      const query = { text, values: [...values], rowMode: 'array' as const, query_timeout: withinMs, ...types };
      return (await pool.query(query)).rows as R[];
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async function createTables(client: pg.ClientBase): Promise<void> {
    const [found] = (await client.query(`SELECT to_regclass('${tables.head}') IS NOT NULL AS is_there`)).rows;
    if ((found as { is_there: boolean }).is_there) return;
    // Several writers may come first at once.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('${tables.keys}'))`);
    await client.query(createQuery(tables));
  }

  /** Makes this the only writer until the end of the transaction. */
  async function lockHead(client: pg.ClientBase): Promise<void> {
    const lock = `SELECT FROM ${tables.head} FOR UPDATE`;
    if ((await client.query(lock)).rowCount !== 0) return;
    // The tables are new, or someone has emptied this one: then gateways read all keys again.
    const insert = `INSERT INTO ${tables.head} (epoch, revision) VALUES ($1, 1) ON CONFLICT DO NOTHING`;
    await client.query(insert, [randomUUID()]);
    await client.query(lock);
  }

  async function transact<T>(run: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw toStoreError(error);
    });
    let failure: unknown;
    try {
      await client.query('BEGIN');
      // Without the second one, a writer that freezes or loses its network would lock out all others.
      await client.query(
        `SET LOCAL statement_timeout = ${editMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
      );
      const result = await run(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      failure = error;
      throw toStoreError(error);
    } finally {
      // The server rolls back what the closed connection began.
      client.release(failure !== undefined);
    }
  }

  return {
    place: 'the key store',
    async list() {
      const keys: RawKeyEntry[] = [];
      for (let name = ''; ; ) {
        const rows = await read<[unknown]>(
          `SELECT entry FROM ${tables.keys} WHERE name > $1 ORDER BY name LIMIT $2`,
          [name, pageKeys],
          editMs,
        ).catch(noTables);
        keys.push(...rows.map(([entry]) => requireEntry(entry)));
        if (rows.length < pageKeys) return { keys };
        name = keys.at(-1)?.name ?? '';
      }
    },
    async page({ after, limit, owner = null }) {
      const rows = await read<[unknown]>(
        `SELECT entry FROM ${tables.keys} WHERE name > $1 AND ($2::text IS NULL OR owner = $2) ORDER BY name LIMIT $3`,
        [after, owner, limit],
        editMs,
      ).catch(noTables);
      return rows.map(([entry]) => requireEntry(entry));
    },
    async owners({ after, limit }) {
      const rows = await read<[string, string]>(
        `SELECT owner, count(*) FROM ${tables.keys} WHERE owner COLLATE "C" > $1
         GROUP BY owner ORDER BY owner COLLATE "C" LIMIT $2`,
        [after, limit],
        editMs,
      ).catch(noTables);
      return rows.map(([owner, keys]) => ({ owner, keys: Number(keys) }));
    },
    async find(name) {
      const rows = await read<[unknown]>(`SELECT entry FROM ${tables.keys} WHERE name = $1`, [name]).catch(noTables);
      return rows[0] && requireEntry(rows[0][0]);
    },
    async edit(about, edit) {
      await transact(async (client) => {
        await createTables(client);
        await lockHead(client);
        const before = await readConcerned(client, tables, namesOf(about), about.owner);
        const after = edit(before);
        if (check !== undefined) checkEdit(check, before, after);
        await writeEdit(client, tables, planEdit(about, before, after));
      });
    },
    async audit(limit) {
      const rows = await read<[Date, string, string, string, string, AuditEntry['changes']]>(
        `SELECT at, actor, action, name, owner, changes FROM ${tables.audit} ORDER BY id DESC LIMIT $1`,
        [limit],
      ).catch(noTables);
      return rows.map(([at, actor, action, name, owner, changes]) => {
        return { at: at.toISOString(), actor, action, name, owner, changes };
      });
    },
    async head() {
      const rows = await read<[string, string]>(`SELECT epoch, revision FROM ${tables.head}`).catch(noTables);
      const [epoch, revision] = rows[0] ?? [];
      if (epoch === undefined) throw new KeyStoreError(emptyStore);
      return { epoch, revision: Number(revision), ageMs: 0 };
    },
    async changesAfter(cursor: KeyCursor) {
      const { after, page } = ahead ?? {};
      ahead = undefined;
      const isAsked = after?.revision === cursor.revision && after.name === cursor.name;
      const early = isAsked ? await page : undefined;
      // An empty page may be outdated, and leaves the cursor where it is: readers that share pages would repeat it.
      const [revision, namesText, ...lists] = early?.[1] == null ? await readPage(cursor) : early;
      const names = parseList(namesText);
      const next = { revision: Number(revision ?? cursor.revision), name: names.at(-1) ?? cursor.name };
      const isLast = names.length < pageKeys;
      if (!isLast) {
        ahead = { after: next, page: readPage(next) };
        // The caller of the next page gets the error.
        ahead.page.catch(() => {});
        // The driver sends the query in the next turn.
        await nextTurn();
      }
      const keys = parsePage(names, lists, kind);
      const valid = keys.filter((key) => key !== undefined);
      return { keys: valid, invalidCount: keys.length - valid.length, next, isLast };
    },
    close: () => pool.end(),
  };
}

/** Returns the keys of these names and all keys of the owner; some others, to suggest a name, if there is no such key. */
async function readConcerned(
  client: pg.ClientBase,
  tables: Tables,
  names: readonly string[],
  owner: string | undefined,
): Promise<RawKeysFile> {
  const { rows } = await client.query(
    `SELECT entry FROM ${tables.keys} WHERE name = ANY($1)
     OR owner = COALESCE($2, (SELECT owner FROM ${tables.keys} WHERE name = $3)) ORDER BY name`,
    [names, owner ?? null, names[0]],
  );
  if (rows.length === 0 && owner === undefined) {
    const hints = await client.query(`SELECT entry FROM ${tables.keys} LIMIT $1`, [hintsMax]);
    rows.push(...hints.rows);
  }
  return { keys: uniqueEntries(rows.map(({ entry }) => requireEntry(entry))) };
}

async function writeEdit(
  client: pg.ClientBase,
  tables: Tables,
  { changed, created, audit }: PlannedEdit,
): Promise<void> {
  if (changed.length === 0) return;
  const { rows } = await client.query(
    `UPDATE ${tables.head} SET revision = GREATEST(revision + 1, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint) RETURNING revision`,
  );
  const { revision } = rows[0] as { revision: string };
  for (const { entry, plan } of changed) {
    const { rowCount } = await client.query(
      `INSERT INTO ${tables.keys} (name, owner, revision, plan, entry) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (name) DO ${created.has(entry.name) ? 'NOTHING' : 'UPDATE SET owner = $2, revision = $3, plan = $4, entry = $5'}`,
      [entry.name, entry.owner, revision, plan ?? null, JSON.stringify(entry)],
    );
    if (rowCount === 0) throw new KeyEditError(`A key named ${entry.name} already exists. Choose another name.`);
  }
  for (const { actor, action, name, owner, changes } of audit) {
    await client.query(
      `INSERT INTO ${tables.audit} (actor, action, name, owner, changes) VALUES ($1, $2, $3, $4, $5)`,
      [actor, action, name, owner, JSON.stringify(changes)],
    );
  }
}

/** Returns no rows for a database in which no key was ever created. */
function noTables(error: unknown): never[] {
  if (((error as Error).cause as { code?: unknown } | undefined)?.code === '42P01') return [];
  throw error;
}

/** Describes an error of the database or the connection by its code alone; returns any other error unchanged. */
function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof KeyEditError || error.name === 'ConfigError') return error;
  const { code } = error as { code?: unknown };
  const isOfDriver = typeof code === 'string' || error instanceof AggregateError || driverTexts.test(error.message);
  if (!isOfDriver) return error;
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const reason = String((first as { code?: unknown }).code ?? 'no response in time');
  const detail = /^(28|3D)/.test(reason)
    ? `PostgreSQL rejects the user, the password or the database (${reason}).`
    : /^(42501|25006)$/.test(reason)
      ? `The user of the database may not write keys (${reason}).`
      : `PostgreSQL cannot be reached or does not respond (${reason}).`;
  return new KeyStoreError(detail, { cause: error });
}

const driverTexts = /^(Query read timeout|Connection terminated|timeout exceeded|Client (was closed|has encountered))/i;
