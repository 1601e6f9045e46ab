import {
  type AuditEntry,
  createKeyAdministration,
  type KeyAdministration,
  type KeyStore,
  KeyStoreError,
} from '@rostergate/access/key-store';
import { KeyEditError, keyStateAt, type RandomBytes, type RawKeyEntry } from '@rostergate/access/keys';
import type { AdminHandlers } from '@rostergate/admin-server';
import type { components } from '@rostergate/admin-spec';
import { ConfigError } from '@rostergate/config';
import { FileLockError } from '@rostergate/config/files';
import type { ReloadState } from '@rostergate/config/reload';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import type { Context, Principal } from '@rostergate/server';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { didYouMean, Problem } from '@rostergate/server/problem';
import type { Telemetry } from '@rostergate/server/telemetry';
import type { Usage } from '../usage/usage.ts';
import { checkUsageRows, toUsage, toUsageQuery, usageRowsMax } from '../usage/usage-range.ts';
import { usageParts } from '../usage/usage-store.ts';
import { adminScope } from './admin-settings.ts';

export interface AdminHandlersOptions {
  /** Returns the store of the keys of the running configuration. */
  readonly currentStore: () => KeyStore;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: RandomBytes;
  /** Returns the running configuration. */
  readonly current: () => { readonly settings: Readonly<Settings>; readonly endpoints: readonly Endpoint[] };
  readonly usage: Pick<Usage, 'read' | 'status'>;
  readonly configurationStatus: () => DependencyStatus;
  readonly reloadState: () => ReloadState;
  readonly log: Telemetry['log'];
}

/** Returns the handlers of the admin API. A change has the name of the calling key in the audit trail and in the log. */
export function createAdminHandlers(options: AdminHandlersOptions): Omit<AdminHandlers, 'getOpenapiDocument'> {
  const { currentStore, clock, random, current, usage, configurationStatus, reloadState, log } = options;
  const toKey = (entry: RawKeyEntry) => describeKey(entry, clock());

  async function change<R>(
    { principal }: Context,
    action: string,
    name: string,
    run: (keys: KeyAdministration) => Promise<R>,
  ): Promise<R> {
    const actor = (principal as Principal).name;
    const result = await orProblem(() =>
      run(createKeyAdministration({ store: currentStore(), actor, clock, random, keyPrefix: 'rg' })),
    );
    log.info({ actor, action, key: name }, 'key changed');
    return result;
  }

  /** @throws Problem 403 for a plan or a scope that the running configuration does not have */
  function requireKnown(plan: string | undefined, scopes: readonly string[] = []): void {
    const { settings, endpoints } = current();
    const plans = Object.keys(settings.plans);
    if (plan !== undefined && !plans.includes(plan)) {
      throw new Problem('plan_unknown', `plans in settings.json has no "${plan}".${didYouMean(plan, plans)}`);
    }
    if (scopes.length === 0) return;
    const known = new Set([adminScope, ...endpoints.flatMap((endpoint) => endpoint.scopes)]);
    const wrong = scopes.find((scope) => !known.has(scope));
    if (wrong === undefined) return;
    const hint = didYouMean(wrong, [...known]) || ' Add it to an endpoint first.';
    throw new Problem('scope_unknown', `No endpoint requires the scope "${wrong}".${hint}`);
  }

  function parseExpiry(text: string): string;
  function parseExpiry(text: string | null | undefined): string | undefined;
  function parseExpiry(text: string | null | undefined): string | undefined {
    if (text === null || text === undefined) return undefined;
    const timeMs = Date.parse(text);
    if (timeMs > clock()) return new Date(timeMs).toISOString();
    const detail = 'must be a time in the future';
    throw new Problem('validation_failed', 'Correct the parts that errors lists and send the request again.', {
      errors: [{ detail, pointer: '/expires_at' }],
    });
  }

  return {
    async listKeys({ query: { owner, after = '', limit = 100 } }) {
      const found = await orProblem(() => currentStore().page({ after, limit: limit + 1, owner }));
      const keys = found.slice(0, limit);
      return { status: 200, body: { keys: keys.map(toKey), ...nextOf(found, limit, keys.at(-1)?.name) } };
    },
    async createKey({ body }, context) {
      const { name, owner = name, plan, prefix = 'rg' } = body;
      const scopes = [...new Set(body.scopes)];
      requireKnown(plan, scopes);
      const expiresAt = parseExpiry(body.expires_at) ?? null;
      const fields = { scopes, ...(plan === undefined ? {} : { plan }) };
      const { key, entry } = await change(context, 'create', name, (keys) =>
        keys.create({ nowMs: clock(), name, owner, prefix, expiresAt, fields }),
      );
      return { status: 201, body: { ...toKey(entry), key } };
    },
    async getKey({ path: { name } }) {
      const entry = await orProblem(() => currentStore().find(name));
      if (entry === undefined) throw noSuchKey();
      return { status: 200, body: toKey(entry) };
    },
    async updateKey({ path: { name }, body }, context) {
      const { plan, scopes } = body;
      requireKnown(plan, scopes);
      const unique = scopes && [...new Set(scopes)];
      const entry = await change(context, 'update', name, (keys) => keys.change(name, { plan, scopes: unique }));
      return { status: 200, body: toKey(entry) };
    },
    async rotateKey({ path: { name }, body }, context) {
      const { overlap_seconds: overlapSeconds = 86_400, prefix } = body;
      const rotation = {
        nowMs: clock(),
        overlapMs: overlapSeconds * 1_000,
        expiresAt: parseExpiry(body.expires_at),
        prefix,
      };
      const { key, entry, oldExpiresAt } = await change(context, 'rotate', name, (keys) => keys.rotate(name, rotation));
      const replaces = { name, expires_at: oldExpiresAt };
      return { status: 201, body: { ...toKey(entry), key, replaces } };
    },
    async revokeKey({ path: { name } }, context) {
      const { entry } = await change(context, 'revoke', name, (keys) => keys.revoke(name));
      return { status: 200, body: toKey(entry) };
    },
    async listOwners({ query: { after = '', limit = 100 } }) {
      const found = await orProblem(() => currentStore().owners({ after, limit: limit + 1 }));
      const owners = found.slice(0, limit);
      return { status: 200, body: { owners, ...nextOf(found, limit, owners.at(-1)?.owner) } };
    },
    async getUsage({ query }) {
      if (usage.status() === undefined) {
        throw new Problem('not_implemented', 'This gateway stores no usage. Add "usage": {} to settings.json.');
      }
      const { owner, interval = 'hour' } = query;
      const asked = toUsageQuery(query, { owner, parts: usageParts, nowMs: clock(), rowsMax: usageRowsMax });
      return { status: 200, body: toUsage(checkUsageRows(await usage.read(asked), asked), asked, interval) };
    },
    listPlans() {
      const { plans, default_plan: name } = current().settings;
      return { status: 200, body: { plans, ...(name === '' ? {} : { default_plan: name }) } };
    },
    getConfigurationState() {
      const { status, since, reason } = configurationStatus() as Schemas['ConfigurationState'];
      const { generation, revision, sources, faults } = reloadState();
      const listed = faults.map(({ where, field, detail }) => ({ where, field, detail }));
      const facts = { generation, revision, sources: [...sources], faults: listed };
      return { status: 200, body: { status, since, ...(reason === undefined ? {} : { reason }), ...facts } };
    },
    async listAuditEntries({ query: { limit = 100 } }) {
      const entries = await orProblem(() => currentStore().audit(limit));
      if (entries === undefined) {
        throw new Problem(
          'not_implemented',
          'keys.json records no changes. Set key_store_url to use a store that does.',
        );
      }
      return { status: 200, body: { entries: entries as Mutable<AuditEntry>[] } };
    },
  };
}

type Schemas = components['schemas'];
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function describeKey(entry: RawKeyEntry, nowMs: number): Schemas['Key'] {
  const { name, owner, prefix = '', scopes = [], plan } = entry;
  const { created_at = null, expires_at = null, revoked_at = null } = entry;
  const state = keyStateAt(entry, nowMs);
  const given = { name, owner, prefix, scopes, ...(plan === undefined ? {} : { plan }) };
  return { ...given, created_at, expires_at, revoked_at, state } as Schemas['Key'];
}

function nextOf(found: readonly unknown[], limit: number, last: string | undefined): { next?: string } {
  return found.length > limit && last !== undefined ? { next: last } : {};
}

function noSuchKey(cause?: Error): Problem {
  return new Problem('not_found', 'There is no key of that name. GET /keys lists the names.', { cause });
}

/** Rejects with the problem of an error of the store. */
async function orProblem<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Error ? toProblem(error) : error;
  }
}

function toProblem(error: Error): Error {
  if (error instanceof KeyEditError) {
    return error.reason === 'missing' ? noSuchKey(error) : new Problem('conflict', error.message, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  const detail =
    error instanceof KeyStoreError
      ? error.message
      : error instanceof FileLockError
        ? 'Another process is changing the keys.'
        : error instanceof ConfigError
          ? 'The keys file has faults, which `rostergate validate` lists.'
          : typeof code === 'string'
            ? `The keys file cannot be read or written (${code}).`
            : undefined;
  if (detail === undefined) return error;
  return new Problem('unavailable', `${detail} Retry in 1 s.`, { headers: { 'Retry-After': '1' }, cause: error });
}
