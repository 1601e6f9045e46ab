import type { Settings, UsageSettings } from '@rostergate/endpoints';
import type { Note } from './change.ts';
import { compareLimit } from './compare-limits.ts';

type Compare = (old: UsageSettings, next: UsageSettings, note: Note) => void;

/** Notes changes of what callers find at `/usage`. Whether it is served is a router of its own. */
export function compareUsage(old: Readonly<Settings>, next: Readonly<Settings>, note: Note): void {
  if (old.usage === undefined || next.usage === undefined) return;
  for (const compare of Object.values(fields)) compare(old.usage, next.usage, note);
  if (storeOf(old) !== storeOf(next)) note('usage-store-changed', 'usage', 'begins at 0, or shows other counts');
}

/** Every field, rated. */
const fields: Readonly<Record<keyof UsageSettings, Compare>> = {
  // Compared with the URL, which overrides it.
  file: () => {},
  // Callers see the same counts, sooner or later.
  flush_seconds: () => {},
  keep_days: (old, next, note) => compareLimit('usage.keep_days', old.keep_days, next.keep_days, note),
};

function storeOf({ usage, usage_store_url: url }: Readonly<Settings>): string | undefined {
  return url === '' ? usage?.file : url;
}
