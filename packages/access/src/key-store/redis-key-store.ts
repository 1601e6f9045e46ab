import { randomUUID } from 'node:crypto';
import type { RawKeyEntry } from '../keys/index.ts';
import { createRedisConnection, createRedisScript, describeRedisError } from '../limits/redis-connection.ts';
import {
  type AuditEntry,
  emptyStore,
  firstCursor,
  type KeyCursor,
  type KeyKind,
  type KeyReader,
  type KeyStore,
  KeyStoreError,
  pageKeys,
} from './key-store.ts';
import { parseStoredJson, parseStoredKey, requireEntry } from './parse-stored-key.ts';
import { checkEdit, hintsMax, namesOf, planEdit, uniqueEntries } from './planned-edit.ts';

export interface RedisKeyStoreOptions {
  readonly url: string;
  readonly prefix: string;
  readonly kind: KeyKind;
  /** Checks the keys that an edit has changed, as the text of a file; throws a ConfigError. */
  readonly check?: (text: string, place: string) => void;
}

const readMs = 2_000;
const editMs = 5_000;
/** How often an edit is tried again because another one came first. */
const triesMax = 50;
/** Older edits are removed. */
const auditMax = 100_000;

/**
 * KEYS of every script: head (hash: epoch, revision), keys (hash by name), changes (sorted set of names by revision),
 * owners (sorted set of `owner\0name`), audit (list), names (sorted set). One hash tag, so that a cluster stores them on one
 * node.
 */
const readHead = createRedisScript(`return redis.call('HMGET', KEYS[1], 'epoch', 'revision')`);

/** Adds the names that servers without this order have written. A key is never removed, so equal counts mean equal names. */
const orderNames = `
if redis.call('ZCARD', KEYS[6]) ~= redis.call('HLEN', KEYS[2]) then
  for _, name in ipairs(redis.call('HKEYS', KEYS[2])) do redis.call('ZADD', KEYS[6], 0, name) end
end`;

const readChanges = createRedisScript(`
local names = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
local count, found, last = #names / 2, {}, ARGV[1]
for i = 1, #names, 2 do found[#found + 1] = names[i]; last = names[i + 1] end
-- One edit may change several keys: a page never ends between them.
if count == tonumber(ARGV[2]) then
  local all = redis.call('ZRANGEBYSCORE', KEYS[3], last, last)
  local known = {}
  for _, name in ipairs(found) do known[name] = true end
  for _, name in ipairs(all) do if not known[name] then found[#found + 1] = name end end
end
local keys = {}
for i = 1, #found, 1000 do
  local some = redis.call('HMGET', KEYS[2], unpack(found, i, math.min(i + 999, #found)))
  for _, key in ipairs(some) do keys[#keys + 1] = key end
end
return { string.format('%.0f', tonumber(last)), count, keys }`);

/** ARGV: owner or '', hints, names. Returns the revision and the keys that an edit of the first name concerns. */
const readConcerned = createRedisScript(`
local owner, names = ARGV[1], { unpack(ARGV, 3) }
local keys = {}
for _, key in ipairs(redis.call('HMGET', KEYS[2], unpack(names))) do if key then keys[#keys + 1] = key end end
if owner == '' and keys[1] and redis.call('HEXISTS', KEYS[2], names[1]) == 1 then
  owner = cjson.decode(cjson.decode(keys[1]).entry).owner
end
if owner ~= '' then
  for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[4], '[' .. owner .. '\\0', '(' .. owner .. '\\1')) do
    keys[#keys + 1] = redis.call('HGET', KEYS[2], string.sub(member, #owner + 2))
  end
elseif not keys[1] then
  for _, name in ipairs(redis.call('ZRANGE', KEYS[3], 0, ARGV[2] - 1)) do keys[#keys + 1] = redis.call('HGET', KEYS[2], name) end
end
return { redis.call('HGET', KEYS[1], 'revision') or '', keys }`);

/** ARGV: revision read, epoch, audit entries to keep, count of keys, count of audit entries, then name, owner, key; then entries. */
const writeEdit = createRedisScript(`
if (redis.call('HGET', KEYS[1], 'revision') or '') ~= ARGV[1] then return 0 end${orderNames}
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local revision = string.format('%.0f', math.max((tonumber(ARGV[1]) or 0) + 1, now))
local at = 6
for i = 1, tonumber(ARGV[4]) do
  local name, owner, key = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  redis.call('HSET', KEYS[2], name, key)
  redis.call('ZADD', KEYS[3], revision, name)
  redis.call('ZADD', KEYS[4], 0, owner .. '\\0' .. name)
  redis.call('ZADD', KEYS[6], 0, name)
  at = at + 3
end
for i = 1, tonumber(ARGV[5]) do
  redis.call('LPUSH', KEYS[5], string.format('%.0f', now / 1000) .. ' ' .. ARGV[at])
  at = at + 1
end
redis.call('LTRIM', KEYS[5], 0, ARGV[3] - 1)
redis.call('HSETNX', KEYS[1], 'epoch', ARGV[2])
redis.call('HSET', KEYS[1], 'revision', revision)
return 1`);

const readAll = createRedisScript(`
local found = redis.call('HSCAN', KEYS[2], ARGV[1], 'COUNT', ARGV[2])
return found`);

/** ARGV: owner or '', name after which the page begins or '', limit. By name; a key is never removed. */
const readPage = createRedisScript(`
local owner, after, keys = ARGV[1], ARGV[2], {}
local names, start, low, high = KEYS[6], 1, after == '' and '-' or '(' .. after, '+'
if owner ~= '' then
  names, start, low, high = KEYS[4], #owner + 2, '(' .. owner .. '\\0' .. after, '(' .. owner .. '\\1'
else${orderNames}
end
for _, member in ipairs(redis.call('ZRANGEBYLEX', names, low, high, 'LIMIT', 0, ARGV[3])) do
  keys[#keys + 1] = redis.call('HGET', KEYS[2], string.sub(member, start))
end
return keys`);

/** ARGV: owner after which the page begins or '', limit. Returns owners and counts. */
const readOwners = createRedisScript(`
local low, owners = ARGV[1] == '' and '-' or '[' .. ARGV[1] .. '\\1', {}
for i = 1, tonumber(ARGV[2]) do
  local member = redis.call('ZRANGEBYLEX', KEYS[4], low, '+', 'LIMIT', 0, 1)[1]
  if not member then break end
  local owner = string.sub(member, 1, string.find(member, '\\0', 1, true) - 1)
  low = '[' .. owner .. '\\1'
  owners[#owners + 1] = owner
  owners[#owners + 1] = redis.call('ZLEXCOUNT', KEYS[4], '[' .. owner .. '\\0', '(' .. owner .. '\\1')
end
return owners`);

const readOne = createRedisScript(`return redis.call('HGET', KEYS[2], ARGV[1])`);

const readAudit = createRedisScript(`return redis.call('LRANGE', KEYS[5], 0, ARGV[1] - 1)`);

/** Returns the keys in a Redis server, a cluster or the master of sentinels. An edit is one script, which runs wholly or not. */
export async function openRedisKeyStore(options: RedisKeyStoreOptions): Promise<KeyStore & KeyReader> {
  const { url, prefix, kind, check } = options;
  // Before the first deadline: loading takes longer than a read.
  await import('redis');
  const connection = createRedisConnection(url);
  const names = ['head', 'entries', 'changes', 'owners', 'audit', 'names'].map(
    (name) => `${prefix}{${kind.prefix}keys}:${name}`,
  );

  async function run<T>(script: Parameters<typeof connection.run>[0], args: readonly string[], withinMs = readMs) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new KeyStoreError('Redis does not respond in time.'));
      connection.reset();
    }, withinMs);
    try {
      return (await Promise.race([connection.run(script, names, args), late.promise])) as T;
    } catch (error) {
      if (error instanceof KeyStoreError) throw error;
      throw new KeyStoreError(describeRedisError(error), { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    place: 'the key store',
    async list() {
      const keys: RawKeyEntry[] = [];
      let cursor = '0';
      do {
        const [next, found] = await run<[string, string[]]>(readAll, [cursor, String(pageKeys)], editMs);
        for (let i = 1; i < found.length; i += 2) keys.push(entryOf(found[i] as string));
        cursor = next;
      } while (cursor !== '0');
      return { keys: uniqueEntries(keys).sort((a, b) => (a.name < b.name ? -1 : 1)) };
    },
    async page({ after, limit, owner = '' }) {
      return (await run<string[]>(readPage, [owner, after, String(limit)])).map(entryOf);
    },
    async owners({ after, limit }) {
      const found = await run<(string | number)[]>(readOwners, [after, String(limit)]);
      return Array.from({ length: found.length / 2 }, (_, i) => {
        return { owner: String(found[2 * i]), keys: Number(found[2 * i + 1]) };
      });
    },
    async find(name) {
      const text = await run<string | null>(readOne, [name]);
      return text === null ? undefined : entryOf(text);
    },
    async edit(about, edit) {
      for (let left = triesMax; left > 0; left--) {
        const asked = [about.owner ?? '', String(hintsMax), ...namesOf(about)];
        const [revision, found] = await run<[string, string[]]>(readConcerned, asked, editMs);
        const before = { keys: uniqueEntries(found.map(entryOf)) };
        const after = edit(before);
        if (check !== undefined) checkEdit(check, before, after);
        const { changed, audit } = planEdit(about, before, after);
        if (changed.length === 0) return;
        const texts = changed.flatMap(({ entry, plan }) => {
          const key = JSON.stringify({ entry: JSON.stringify(entry), plan });
          return [entry.name, String(entry.owner), key];
        });
        const sizes = [auditMax, changed.length, audit.length].map(String);
        const entries = audit.map((entry) => JSON.stringify(entry));
        if ((await run(writeEdit, [revision, randomUUID(), ...sizes, ...texts, ...entries], editMs)) === 1) return;
      }
      throw new KeyStoreError('Too many other edits came first. Try again.');
    },
    async audit(limit) {
      const lines = await run<string[]>(readAudit, [String(limit)]);
      return lines.map((line) => {
        const end = line.indexOf(' ');
        const at = new Date(Number(line.slice(0, end))).toISOString();
        return { at, ...(JSON.parse(line.slice(end + 1)) as Omit<AuditEntry, 'at'>) };
      });
    },
    async head() {
      const [epoch, revision] = await run<[string | null, string | null]>(readHead, []);
      if (epoch === null || revision === null) throw new KeyStoreError(emptyStore);
      if (!/^\d+$/.test(revision)) throw new KeyStoreError('The revision of the keys in Redis is no number.');
      return { epoch, revision: Number(revision), ageMs: 0 };
    },
    async changesAfter({ revision }: KeyCursor) {
      const asked = [String(revision), String(pageKeys)];
      const [last, count, found] = await run<[string, number, StoredText[]]>(readChanges, asked, editMs);
      const keys = found.map((text) => {
        const { entry, plan } = parseStored(text);
        const fields = entry ?? {};
        return parseStoredKey(fields, plan, attributesOf(fields, kind), kind);
      });
      const valid = keys.filter((key) => key !== undefined);
      return {
        keys: valid,
        invalidCount: keys.length - valid.length,
        next: { ...firstCursor, revision: Number(last) },
        isLast: count < pageKeys,
      };
    },
    async close() {
      connection.close();
    },
  };
}

/** What a script returns for a key: absent when someone has removed it. */
type StoredText = string | null;

function parseStored(text: StoredText): { readonly entry?: unknown; readonly plan?: unknown } {
  const { entry, plan } = (parseStoredJson(text ?? '') ?? {}) as { entry?: unknown; plan?: unknown };
  return { entry: typeof entry === 'string' ? parseStoredJson(entry) : undefined, plan };
}

/** Returns the attributes of a kind of keys as JSON. */
function attributesOf(entry: unknown, { attributes }: KeyKind): string | undefined {
  if (attributes.length === 0) return undefined;
  return JSON.stringify(
    Object.fromEntries(attributes.map((field) => [field, (entry as RawKeyEntry)[field] ?? undefined])),
  );
}

function entryOf(text: StoredText): RawKeyEntry {
  return requireEntry(parseStored(text).entry);
}
