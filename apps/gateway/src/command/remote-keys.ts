import type { AuditEntry, KeyAdministration } from '@rostergate/access/key-store';
import { parseKey, type RawKeyEntry } from '@rostergate/access/keys';
import { isSecureUrl } from '@rostergate/access/tokens';
import type { components } from '@rostergate/admin-spec';
import { CommandFailure, exitCodes } from '@rostergate/config/command';
import { keysFileSchema } from '../sources/read-keys.ts';

/** The environment variable with the key of the admin API. An option would show it in `ps`. */
export const adminKeyVariable = 'ROSTERGATE_ADMIN_KEY';

export interface RemoteKeysOptions {
  readonly url: string;
  readonly key: string | undefined;
  /** Whether the key may be sent unencrypted to another machine. */
  readonly allowsHttp?: boolean;
  readonly limits?: RemoteKeysLimits;
}

/** What one command reads at most: the server may be another than the user thinks. */
export interface RemoteKeysLimits {
  readonly pagesMax: number;
  readonly bytesMax: number;
  readonly withinMs: number;
}

const usualLimits: RemoteKeysLimits = { pagesMax: 10_000, bytesMax: 512 * 1024 * 1024, withinMs: 300_000 };

/** Returns the keys of a running gateway, by its admin API. */
export async function createRemoteKeys(options: RemoteKeysOptions): Promise<KeyAdministration> {
  const { url, key: adminKey, allowsHttp = false, limits = usualLimits } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandFailure('--admin-url takes a URL such as http://127.0.0.1:9001.', exitCodes.usage);
  }
  if (!allowsHttp && !isSecureUrl(new URL(url))) {
    const detail =
      '--admin-url would send the key unencrypted to another machine. Use https, or add --allow-http on a network that only you can read.';
    throw new CommandFailure(detail, exitCodes.usage);
  }
  if (!adminKey) {
    const detail = `--admin-url needs a key with the scope admin in ${adminKeyVariable}.`;
    throw new CommandFailure(detail, exitCodes.usage);
  }
  const { ApiProblem, createAdminClient } = await import('@rostergate/admin-client');
  let leftBytes = limits.bytesMax;
  const count = (bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    leftBytes -= bytes.byteLength;
    if (leftBytes < 0) controller.error(failed(`The admin API sends more than ${limits.bytesMax} bytes.`));
    else controller.enqueue(bytes);
  };
  const client = createAdminClient({
    baseUrl: url,
    key: adminKey,
    async fetch(request) {
      const response = await fetch(request);
      if (response.body === null) return response;
      return new Response(response.body.pipeThrough(new TransformStream({ transform: count })), response);
    },
  });
  const signal = AbortSignal.timeout(limits.withinMs);

  async function call<T>(send: () => Promise<T>): Promise<T> {
    try {
      const result = await send();
      if (typeof result !== 'object' || result === null) throw failed(strange);
      return result;
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      if (!(error instanceof ApiProblem)) {
        const { cause, message, name } = error as Error;
        if (name === 'TimeoutError') throw failed('The admin API does not respond in time.', error);
        const { code = message } = (cause ?? {}) as { code?: string };
        throw failed(`The admin API cannot be reached (${code}).`, error);
      }
      const faults = error.errors.map(({ pointer = '', parameter = pointer, detail }) => `${parameter}: ${detail}`);
      const exitCode = error.status < 500 && error.status !== 429 ? exitCodes.invalid : exitCodes.failed;
      throw new CommandFailure(oneLine([error.message, ...faults].join(' ')), exitCode, { cause: error });
    }
  }

  return {
    place: url,
    async list() {
      const keys: RawKeyEntry[] = [];
      let after: string | undefined;
      for (let page = 0; page < limits.pagesMax; page++) {
        const query = { limit: 1000, ...(after === undefined ? {} : { after }) };
        const found = await call(() => client.listKeys({ query, signal }));
        keys.push(...parseEntries(found.keys));
        if (found.next === undefined) return keys;
        after = found.next;
      }
      throw failed(`The admin API returns more than ${limits.pagesMax} pages of keys.`);
    },
    async create({ name, owner, prefix, expiresAt, fields }) {
      const body = { name, owner, prefix, expires_at: expiresAt, ...fields };
      const { key, ...entry } = await call(() => client.createKey({ body: { scopes: [], ...body }, signal }));
      return { key: requireKey(key), entry: parseEntry(entry) };
    },
    async rotate(name, { overlapMs, expiresAt, prefix }) {
      const body = {
        overlap_seconds: Math.round(overlapMs / 1000),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(prefix === undefined ? {} : { prefix }),
      };
      const { key, replaces, ...entry } = await call(() => client.rotateKey({ path: { name }, body, signal }));
      const [old] = parseEntries([{ ...entry, expires_at: replaces?.expires_at }]);
      return { key: requireKey(key), entry: parseEntry(entry), oldExpiresAt: String(old?.expires_at) };
    },
    async revoke(name) {
      const { state } = await call(() => client.getKey({ path: { name }, signal }));
      const entry = await call(() => client.revokeKey({ path: { name }, signal }));
      return { entry: parseEntry(entry), isRevokedNow: state !== 'revoked' };
    },
    async change(name, { plan, scopes }) {
      const body = {
        ...(plan === undefined ? {} : { plan }),
        ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      };
      return parseEntry(await call(() => client.updateKey({ path: { name }, body, signal })));
    },
    async audit(limit) {
      if (limit > 1000) {
        throw new CommandFailure('--limit takes a number from 1 to 1000 with --admin-url.', exitCodes.usage);
      }
      const { entries } = await call(() => client.listAuditEntries({ query: { limit }, signal }));
      return parseAudit(entries);
    },
    close: async () => {},
  };
}

type Schemas = components['schemas'];

function failed(detail: string, cause?: unknown): CommandFailure {
  return new CommandFailure(oneLine(detail), exitCodes.failed, { cause });
}

/** Returns text of a server for a terminal, which obeys control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ').slice(0, 1_000);
}

const strange = 'This is not the response of an admin API. Check --admin-url.';

/** Returns the entries without their states. */
function parseEntries(keys: readonly Schemas['Key'][]): readonly RawKeyEntry[] {
  const entries = Array.isArray(keys) ? keys.map(withoutState) : undefined;
  // The entries of a response are those of keys.json, without digests.
  const whole = entries?.map((entry) => ({ ...entry, sha256: '0'.repeat(64) }));
  if (entries === undefined || !keysFileSchema().safeParse({ keys: whole }).success) throw failed(strange);
  return entries;
}

function withoutState(key: Schemas['Key']): Omit<Schemas['Key'], 'state'> {
  // A server may send anything else than an object.
  const { state, ...entry } = { ...key };
  return entry;
}

function parseEntry(key: Schemas['Key']): RawKeyEntry {
  return parseEntries([key])[0] as RawKeyEntry;
}

function requireKey(key: string): string {
  if (parseKey(key) === null) throw failed(strange);
  return key;
}

function parseAudit(entries: readonly Schemas['AuditEntry'][]): readonly AuditEntry[] {
  if (!Array.isArray(entries)) throw failed(strange);
  return entries.map((entry) => {
    const { at, actor, action, name, owner, changes } = { ...entry };
    if (Number.isNaN(Date.parse(at)) || typeof changes !== 'object') throw failed(strange);
    const [who, what, key, holder] = [actor, action, name, owner].map((text) => oneLine(String(text)));
    return { at, actor: who, action: what, name: key, owner: holder, changes } as AuditEntry;
  });
}
