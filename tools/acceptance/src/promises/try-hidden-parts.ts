import { DatabaseSync } from 'node:sqlite';
import { keyDigest } from '@rostergate/access/keys';
import type { DemoCredentials } from '../../../workspace/demo-credentials.mjs';
import type { AtEnd } from '../at-end.ts';
import { type OwnDatabase, runSql } from '../database.ts';
import { type SpawnedProxy, spawnProxy } from '../spawn-proxy.ts';
import { type Ask, findPerson } from '../staff/find-person.ts';
import { startVendor } from '../vendor/start-vendor.ts';
import { type HiddenAttempt, hiddenAttempts } from './hidden-attempts.ts';

/** What keys without the scope `admin` learned of tags, skills and profiles, with the request that disclosed it. */
export interface HiddenFindings {
  /** Responses and logs that contain a hidden name. */
  readonly disclosed: readonly string[];
  /** Responses that depend on what the account of the key may see. */
  readonly differing: readonly string[];
  /** Responses to keys with the scope that contain a name: what could have been disclosed. */
  readonly shownToAdmins: number;
  readonly attempts: number;
}

export interface HiddenTrial {
  /** A scheduling API on `database`, which the demo accounts may use. */
  readonly apiUrl: string;
  readonly database: OwnDatabase;
  readonly credentials: DemoCredentials;
  /** An admin at the API. */
  readonly admin: Ask;
  readonly people: number;
  readonly atEnd: AtEnd;
}

const mark = 'hush-4c1e';

/** Keys by account and scope. The first fills the cache of the proxy before the second reads it. */
const keys = {
  adminByAdmin: { account: 'ADMIN', admin: true },
  readerByAdmin: { account: 'ADMIN', admin: false },
  readerByReader: { account: 'READER', admin: false },
  adminByReader: { account: 'READER', admin: true },
} as const;
type Key = keyof typeof keys;

/** Sends every operation with every option, for both forms of upstream, kinds of account and kinds of key. */
export async function tryHiddenParts(trial: HiddenTrial): Promise<HiddenFindings> {
  const { apiUrl, database, credentials, admin, people, atEnd } = trial;
  const companyKey = credentials.COMPANY_KEY;
  await markCatalogue(database);
  const attempts: HiddenAttempt[] = [];
  for (let n = 0; n < people; n++) {
    const known = await findPerson(admin, companyKey, "startswith(StaffId,'S-')", n);
    const path = `/v2/staffmember/${encodeURIComponent(known.person.StaffKey)}`;
    // Each write rebuilds the stored document with the current names.
    await admin(path, { method: 'PUT', json: { OtherNumber3: String(n) } });
    const [{ CategoryKey, CategoryName: category, Tags }] = (await admin(`${path}?includes=Tags`)).body.Tags;
    const [{ Key: TagKey, Name: name }] = Tags;
    const json = {
      ...{ LocationTagCategory: category, LocationTagName: name, TaskTagCategory: category, TaskTagName: name },
      PayModifierTags: [{ CategoryKey, TagKey }],
    };
    const { status, headers } = await admin(`${path}/payModifier`, { method: 'POST', json });
    if (status !== 201) throw new Error(`The status of creating a pay modifier is ${status}.`);
    attempts.push(
      ...hiddenAttempts(companyKey, { ...known, tag: { category, name, TagKey } }, String(headers.get('ETag'))),
    );
  }
  const vendor = await startVendor(apiUrl);
  atEnd(vendor.stop);
  const forms = { contract: apiUrl, vendor: vendor.url };
  const found = { disclosed: [] as string[], differing: [] as string[], shownToAdmins: 0, attempts: 0 };
  for (const [form, upstreamUrl] of Object.entries(forms)) {
    const proxy = await startProxy(form, upstreamUrl, credentials, atEnd);
    for (const attempt of attempts) await tryOne(form, proxy, attempt, found);
    if (proxy.output().includes(mark)) found.disclosed.push(`${form}: the log`);
  }
  return found;
}

type Findings = { disclosed: string[]; differing: string[]; shownToAdmins: number; attempts: number };

async function tryOne(form: string, proxy: SpawnedProxy, attempt: HiddenAttempt, found: Findings): Promise<void> {
  const request = `${form}: ${attempt.method} ${decodeURIComponent(attempt.path)} ${JSON.stringify(attempt.headers)}`;
  const responses = new Map<Key, string>();
  // Reads repeat, because a cached response of one key must not be returned to another or disclose it.
  for (const key of [...keyNames, ...(attempt.method === 'GET' ? keyNames : [])]) {
    const text = await ask(proxy.url, key, attempt);
    found.attempts++;
    const isDisclosed = text.includes(mark);
    if (keys[key].admin) found.shownToAdmins += isDisclosed ? 1 : 0;
    else if (isDisclosed) found.disclosed.push(`${request} by ${key}`);
    responses.set(key, withoutIds(text));
  }
  const [one = '', other = ''] = [responses.get('readerByAdmin'), responses.get('readerByReader')];
  if (one === other) return;
  const at = [...one].findIndex((character, i) => character !== other[i]);
  const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  found.differing.push(`${request}: ${near(one)} and ${near(other)}`);
}

const keyNames = Object.keys(keys) as Key[];

/** Returns status, fields and body of the response, and of the next pages of a list. */
async function ask(url: string, key: Key, { method, path, json, headers }: HiddenAttempt): Promise<string> {
  let text = '';
  let next: string | undefined = path;
  for (let part = 0; next !== undefined && part < 3; part++) {
    const response: Response = await fetch(url + next, {
      method,
      headers: {
        'X-API-Key': keyOf(key),
        'Accept-Encoding': 'identity',
        ...headers,
        ...(json === undefined ? {} : jsonType),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const body = await response.text();
    const [, link] = /"@odata\.nextLink":("[^"]*")/.exec(body) ?? [];
    // The token in a link is bound to the account, and an ETag covers the whole body.
    const fields = [...response.headers].filter(
      ([name]) => !volatileFields.has(name) && !(name === 'etag' && link !== undefined),
    );
    text += `${response.status} ${JSON.stringify(fields)} ${body}\n`;
    next = link === undefined ? undefined : `/v2/${JSON.parse(link)}`;
  }
  return text;
}

const jsonType = { 'Content-Type': 'application/json' };
const volatileFields = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'age']);

/** Removes request ids, and tokens, which are bound to the account. */
function withoutIds(text: string): string {
  return text.replaceAll(/"request_id":"[^"]*"/g, '').replaceAll(/skiptoken=[^"&]*/g, '');
}

const keyOf = (key: Key) => `${key}-of-the-trial-6f0a81b2`;

function startProxy(
  form: string,
  upstreamUrl: string,
  credentials: DemoCredentials,
  atEnd: AtEnd,
): Promise<SpawnedProxy> {
  const logins = {
    ADMIN: { email: credentials.SCHEDULING_ADMIN_EMAIL, password: credentials.SCHEDULING_ADMIN_PASSWORD },
    READER: { email: credentials.SCHEDULING_EMAIL, password: credentials.SCHEDULING_PASSWORD },
  };
  const named = Object.entries(keys);
  const settings = {
    ...{ upstream_url: upstreamUrl, upstream_form: form, cache_seconds_max: 600, log_level: 'trace' },
    ...{ validate_responses: 'sample', validate_sample_every: 1 },
  };
  const accounts = named.map(([name, { account, admin }]) => [
    name,
    { ...logins[account], company_key: credentials.COMPANY_KEY, admin },
  ]);
  const keysFile = {
    accounts: Object.fromEntries(accounts),
    keys: named.map(([name]) => ({ name, owner: name, sha256: keyDigest(keyOf(name as Key)), account: name })),
  };
  return spawnProxy({ settings, keysFile }, atEnd);
}

/** Renames tags, categories, tasks and profiles to names that occur nowhere else. */
async function markCatalogue({ env }: OwnDatabase): Promise<void> {
  const names = { tag_categories: 'CategoryKey', tags: 'TagKey', profiles: 'ProfileRow', tasks: 'TaskRow' };
  const statements = Object.entries(names).map(
    ([table, key]) => `UPDATE "${table}" SET "Name" = '${mark}-${table}-' || "${key}"`,
  );
  const { ROSTERGATE_SCHEDULING_DATABASE_FILE: file, ROSTERGATE_SCHEDULING_DATABASE_URL: url = '' } = env;
  if (file === undefined) return runSql(url, statements.join('; '));
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}
