import type { Endpoint, Settings } from '@rostergate/endpoints';
import type { Configuration } from '../configuration.ts';
import { createServedDocument } from '../served-document.ts';
import { switches } from '../switches.ts';
import { ChangeList, summarize } from './change.ts';
import { compareKeys } from './compare-keys.ts';
import { compareSettings } from './compare-settings.ts';
import { type Diff, noteDocuments, readDocument } from './diff-documents.ts';

/** What callers will notice between two configurations of the gateway: their contracts, keys and settings. */
export function diffConfigurations(old: Configuration, next: Configuration): Diff {
  const list = new ChangeList();
  const switched = noteSwitches(old.settings, next.settings, list);
  const documentOf = ({ settings, endpoints }: Configuration, name: string) =>
    readDocument(createServedDocument(settings, endpoints), name);
  noteDocuments(documentOf(old, 'The old contract'), documentOf(next, 'The new contract'), list, (id) =>
    switched.has(id),
  );
  compareSettings(old, next, list.at(''));
  compareKeys(old.keys, next.keys, '', list.at(''));
  compareEndpoints(old, next, list);
  const changes = list.sorted();
  return { changes, summary: summarize(changes) };
}

/** Says of a router or page that it is on or off, once; gives the operations that this is told for. */
function noteSwitches(old: Readonly<Settings>, next: Readonly<Settings>, list: ChangeList): ReadonlySet<string> {
  const told = new Set<string>();
  for (const { name, what, isOn, operations } of switches) {
    const [before, now] = [isOn(old), isOn(next)];
    if (before === now) continue;
    for (const operation of operations) told.add(operation);
    list.at('')(
      `${what}-switched-${now ? 'on' : 'off'}`,
      name,
      `the ${what} ${name} is ${now ? 'served now' : 'answered with 404 now'}`,
    );
  }
  return told;
}

function compareEndpoints(old: Configuration, next: Configuration, list: ChangeList): void {
  const before = new Map(old.endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  for (const endpoint of next.endpoints) {
    const other = before.get(keyOf(endpoint));
    if (other === undefined) continue;
    const note = list.at(`${endpoint.method.toUpperCase()} ${endpoint.path}`);
    if (other.service.name !== endpoint.service.name) {
      note('service-changed', '', `is answered by ${endpoint.service.name}, not by ${other.service.name}`);
    }
    if (upstreamOf(other) !== upstreamOf(endpoint)) note('upstream-changed', '', 'is forwarded to another place');
    if (cachingOf(other) !== cachingOf(endpoint)) note('cache-changed', '', `${cachingOf(endpoint)} now`);
    const [ownBefore, ownNow] = [other, endpoint].map(({ operationId }, i) =>
      (i === 0 ? old : next).endpointKeys.get(operationId),
    );
    // What every endpoint takes is compared once for all of them.
    if (ownBefore === undefined && ownNow === undefined) continue;
    if (other.requiresAuth && endpoint.requiresAuth) compareKeys(ownBefore ?? old.keys, ownNow ?? next.keys, '', note);
  }
}

function keyOf({ method, path }: Endpoint): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

function cachingOf({ cacheSeconds, cacheDefaultSeconds }: Endpoint): string {
  if (cacheSeconds === 0) return 'is always fresh';
  const age = `may be up to ${cacheSeconds} seconds old`;
  if (cacheDefaultSeconds === cacheSeconds) return age;
  return `${age}, or ${cacheDefaultSeconds} where the upstream declares nothing,`;
}

/** Targets and path alone: headers may hold secrets, and callers notice neither timeouts nor retries. */
function upstreamOf({ upstream, path }: Endpoint): string {
  return upstream === undefined ? '' : JSON.stringify([upstream.targets, upstream.path ?? path]);
}
