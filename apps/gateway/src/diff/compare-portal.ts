import type { Portal } from '@rostergate/endpoints';
import { minus, type Note } from './change.ts';
import { compareLimit } from './compare-limits.ts';

type Compare = (old: Portal, next: Portal, note: Note) => void;

/** Notes changes of what developers can do in the portal. Their keys stay valid in any case. */
export function comparePortal(old: Portal | undefined, next: Portal | undefined, note: Note): void {
  if (old === undefined || next === undefined) return;
  for (const compare of Object.values(fields)) compare(old, next, note);
}

/** Every field, rated. */
const fields: Readonly<Record<keyof Portal, Compare>> = {
  issuer: (old, next, note) => {
    if (old.issuer !== next.issuer) note('setting-tightened', 'portal.issuer', 'developers have other keys there');
  },
  base_url: (old, next, note) => {
    if (old.base_url !== next.base_url) note('setting-tightened', 'portal.base_url', 'pages of the old address fail');
  },
  // Of the gateway at the issuer.
  client_id: () => {},
  client_authentication: () => {},
  plans: (old, next, note) => compareOffers('portal.plans', old.plans, next.plans, note),
  scopes: (old, next, note) => compareOffers('portal.scopes', old.scopes, next.scopes, note),
  keys_max: (old, next, note) => compareLimit('portal.keys_max', old.keys_max, next.keys_max, note),
};

function compareOffers(name: string, old: readonly string[], next: readonly string[], note: Note): void {
  const [before, now] = [new Set(old), new Set(next)];
  for (const offer of minus(before, now)) note('setting-tightened', name, `${offer} is no longer offered`);
  for (const offer of minus(now, before)) note('setting-relaxed', name, `${offer} is now offered`);
}
