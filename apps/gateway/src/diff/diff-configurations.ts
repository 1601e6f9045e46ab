import { isDeepStrictEqual } from 'node:util';
import type { KeyRecord } from '@rostergate/access/keys';
import type { Endpoint, Policy, Settings, UpstreamSettings } from '@rostergate/endpoints';
import { createServedDocument, switches } from '../served-document.ts';
import type { Configuration } from '../sources/read-sources.ts';
import { ChangeList, minus, type Note, summarize } from './change.ts';
import { compareIssuers } from './compare-issuers.ts';
import { compareKeyPlan, compareLimit, compareLimits, compareOrigins } from './compare-limits.ts';
import { compareMcp } from './compare-mcp.ts';
import { comparePortal } from './compare-portal.ts';
import { compareUsage } from './compare-usage.ts';
import { type Diff, noteDocuments, readDocument } from './diff-documents.ts';
import type { Rule } from './rules.ts';

/** Returns the changes that callers notice between two configurations: contracts, keys and settings. */
export function diffConfigurations(old: Configuration, next: Configuration): Diff {
  const list = new ChangeList();
  const switched = noteSwitches(old.settings, next.settings, list);
  const documentOf = ({ settings, endpoints }: Configuration, name: string) =>
    readDocument(createServedDocument(settings, endpoints), name);
  noteDocuments(documentOf(old, 'The old contract'), documentOf(next, 'The new contract'), list, (id) =>
    switched.has(id),
  );
  compareSettings(old, next, list.at(''));
  compareIssuers(old.settings.jwt_issuers, next.settings.jwt_issuers, list.at(''));
  compareMcp(old.settings.mcp, next.settings.mcp, list.at(''));
  comparePortal(old.settings.portal, next.settings.portal, list.at(''));
  compareUsage(old.settings, next.settings, list.at(''));
  compareKeys(old.keys, next.keys, '', list.at(''));
  compareKeyPlans(old, next, list.at(''));
  compareEndpoints(old, next, list);
  const changes = list.sorted();
  return { changes, summary: summarize(changes) };
}

/** Notes each router or page that was switched on or off; returns their operations. */
function noteSwitches(old: Readonly<Settings>, next: Readonly<Settings>, list: ChangeList): ReadonlySet<string> {
  const switched = new Set<string>();
  for (const { name, what, isOn, operations } of switches) {
    const [before, now] = [isOn(old), isOn(next)];
    if (before === now) continue;
    for (const operation of operations) switched.add(operation);
    list.at('')(
      `${what}-switched-${now ? 'on' : 'off'}`,
      name,
      `the ${what} ${name} ${now ? 'is now served' : 'now returns 404'}`,
    );
  }
  return switched;
}

function compareEndpoints(old: Configuration, next: Configuration, list: ChangeList): void {
  const before = new Map(old.endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  for (const endpoint of next.endpoints) {
    const other = before.get(keyOf(endpoint));
    if (other === undefined) continue;
    const note = list.at(`${endpoint.method.toUpperCase()} ${endpoint.path}`);
    if (other.service.name !== endpoint.service.name) {
      note('service-changed', '', `is handled by ${endpoint.service.name}, not by ${other.service.name}`);
    }
    compareUpstreams(other, endpoint, note);
    for (const policy of endpoint.policies) {
      const before = other.policies.find(({ name }) => name === policy.name);
      if (before === undefined || settingsOf(before) === settingsOf(policy)) continue;
      note('policy-changed', `policy ${policy.name}`, `the policy ${policy.name} has other settings`);
    }
    if (cachingOf(other) !== cachingOf(endpoint)) note('cache-changed', '', `${cachingOf(endpoint)} now`);
    const [ownBefore, ownNow] = [other, endpoint].map(({ operationId }, i) =>
      (i === 0 ? old : next).endpointKeys.get(operationId),
    );
    // Global keys are compared once for all endpoints.
    if (ownBefore === undefined && ownNow === undefined) continue;
    if (other.requiresAuth && endpoint.requiresAuth) compareKeys(ownBefore ?? old.keys, ownNow ?? next.keys, '', note);
  }
}

function keyOf({ method, path }: Endpoint): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

/** Returns the settings of a policy, to compare them; a body's limit is in the contract. */
function settingsOf(policy: Policy): string {
  switch (policy.type) {
    case 'body_size':
      return policy.type;
    case 'headers':
    case 'code':
      return JSON.stringify([policy.type, 'module' in policy ? policy.module : '', policy.given]);
    default:
      return JSON.stringify(policy);
  }
}

function cachingOf({ cacheSeconds, cacheDefaultSeconds }: Endpoint): string {
  if (cacheSeconds === 0) return 'is always fresh';
  const age = `may be up to ${cacheSeconds} seconds old`;
  if (cacheDefaultSeconds === cacheSeconds) return age;
  return `${age}, or ${cacheDefaultSeconds} if the upstream declares no freshness,`;
}

/**
 * The rule of each field of an upstream; null for those whose changes callers do not notice. Notes name fields only:
 * values may contain secrets.
 */
const upstreamRules = {
  targets: 'upstream-changed',
  path: 'upstream-changed',
  weights: 'upstream-handling-changed',
  health: 'upstream-handling-changed',
  breaker: 'upstream-handling-changed',
  // Compared by value.
  streamIdleMs: 'setting-tightened',
  webSocket: 'setting-tightened',
  tls: 'upstream-handling-changed',
  auth: 'upstream-handling-changed',
  headers: null,
  timeoutMs: null,
  retries: null,
} as const satisfies Record<keyof UpstreamSettings, Rule | null>;

function compareUpstreams(old: Endpoint, next: Endpoint, note: Note): void {
  const [before, now] = [old, next].map(
    ({ upstream, path }) => upstream && { ...upstream, path: upstream.path ?? path },
  );
  if (before === undefined && now === undefined) return;
  const fields = Object.keys(upstreamRules) as (keyof UpstreamSettings)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before?.[field], now?.[field]));
  const isChanged = (rule: Rule) => changed.filter((field) => upstreamRules[field] === rule);
  if (isChanged('upstream-changed').length > 0) note('upstream-changed', '', 'is forwarded to another target');
  if (before !== undefined && now !== undefined) compareConnections(before, now, note);
  const handling = before === undefined || now === undefined ? [] : isChanged('upstream-handling-changed');
  if (handling.length > 0) note('upstream-handling-changed', '', `its upstream has other ${handling.join(', ')}`);
}

/** Notes changes of how long responses and WebSockets may stay open, how many, and for which pages. */
function compareConnections(old: Connections, next: Connections, note: Note): void {
  compareLimit('stream_idle_ms', orAny(old.streamIdleMs ?? 30_000), orAny(next.streamIdleMs ?? 30_000), note);
  const [before, now] = [old.webSocket, next.webSocket];
  if (before === undefined || now === undefined) return;
  compareLimit('websocket.connections_max', before.connectionsMax, now.connectionsMax, note);
  compareLimit('websocket.idle_ms', orAny(before.idleMs), orAny(now.idleMs), note);
  compareOrigins('websocket.origins', before.origins, now.origins, note);
}

type Connections = Pick<UpstreamSettings, 'streamIdleMs' | 'webSocket'>;

const orAny = (ms: number): number => (ms === 0 ? Number.POSITIVE_INFINITY : ms);

/** Notes changes of settings that affect callers, except those that change the contract. */
function compareSettings(old: Configuration, next: Configuration, note: Note): void {
  const [before, now] = [old.settings, next.settings];
  compareLimits(before, now, note);
  for (const { name, read } of ordered) compareLimit(name, read(before), read(now), note);
  compareOrigins('cors_origins', before.cors_origins, now.cors_origins, note);
  const [was, is] = [old, next].map(({ tls }) => (tls === undefined ? 'http' : 'https'));
  if (was !== is) note('protocol-changed', 'tls', `${was} became ${is}`);
  for (const [name, address] of addresses) {
    if (address(before) !== address(now)) note('address-changed', name, `${address(before)} became ${address(now)}`);
  }
}

const addresses: readonly (readonly [name: string, read: (settings: Readonly<Settings>) => string])[] = [
  ['port', ({ host, port }) => `${host}:${port}`],
  ['admin_port', ({ admin_host, admin_port }) => (admin_port === 0 ? 'no admin API' : `${admin_host}:${admin_port}`)],
];

/** Settings whose lower values are stricter. */
const ordered: readonly { readonly name: string; readonly read: (settings: Readonly<Settings>) => number }[] = [
  { name: 'body_bytes_max', read: (settings) => settings.body_bytes_max },
  { name: 'cors_credentials', read: (settings) => Number(settings.cors_credentials) },
];

/** Notes added, removed and changed keys, by name only. A revoked key counts as removed. */
function compareKeys(old: readonly KeyRecord[], next: readonly KeyRecord[], part: string, note: Note): void {
  const [before, now] = [byDigest(old), byDigest(next)];
  const gone = [...before].filter(([digest]) => !now.has(digest)).map(([, key]) => key.name);
  const added = [...now].filter(([digest]) => !before.has(digest)).map(([, key]) => key.name);
  if (gone.length > 0) note('keys-removed', part, `${counted(gone)} no longer accepted: ${listed(gone)}`);
  if (added.length > 0) note('keys-added', part, `${counted(added)} now accepted: ${listed(added)}`);
  for (const [digest, key] of now) {
    const other = before.get(digest);
    if (other === undefined) continue;
    compareExpiry(other, key, part, note);
    const scopes = new Set(other.scopes);
    const own = new Set(key.scopes);
    const [lost, won] = [[...minus(scopes, own)], [...minus(own, scopes)]];
    if (lost.length > 0) note('key-scopes-removed', part, `the key ${key.name} loses ${listed(lost)}`);
    if (won.length > 0) note('key-scopes-added', part, `the key ${key.name} gains ${listed(won)}`);
  }
}

function compareExpiry(old: KeyRecord, next: KeyRecord, part: string, note: Note): void {
  const [before, now] = [old.expiresAtMs, next.expiresAtMs];
  if (before === now) return;
  const isSooner = (now ?? Number.POSITIVE_INFINITY) < (before ?? Number.POSITIVE_INFINITY);
  const text = `the key ${next.name} expires ${expiryOf(now)}, not ${expiryOf(before)}`;
  note(isSooner ? 'key-expires-sooner' : 'key-expires-later', part, text);
}

const expiryOf = (ms: number | undefined): string => (ms === undefined ? 'never' : `at ${new Date(ms).toISOString()}`);

/** Notes the plans of global keys: endpoints have the same records of a key. */
function compareKeyPlans(old: Configuration, next: Configuration, note: Note): void {
  const before = byDigest(old.keys);
  for (const [digest, key] of byDigest(next.keys)) {
    const other = before.get(digest);
    if (other === undefined) continue;
    compareKeyPlan({ key: other, settings: old.settings }, { key, settings: next.settings }, '', note);
  }
}

function byDigest(keys: readonly KeyRecord[]): ReadonlyMap<string, KeyRecord> {
  return new Map(keys.filter((key) => key.revokedAtMs === undefined).map((key) => [key.sha256, key]));
}

const counted = (names: readonly string[]): string => (names.length === 1 ? 'a key is' : `${names.length} keys are`);

const listed = (names: readonly string[]): string => [...names].sort().join(', ');
