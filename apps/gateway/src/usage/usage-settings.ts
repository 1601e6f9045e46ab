import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Settings } from '@rostergate/endpoints/configuration';
import type { z } from 'zod';
import type { UsageConfiguration } from './usage.ts';

/** Returns where the settings store usage; undefined when they do not. `folder` is that of settings.json. */
export function usageOf(
  { usage, usage_store_url: url }: Pick<Settings, 'usage' | 'usage_store_url'>,
  folder: string,
): UsageConfiguration | undefined {
  if (usage === undefined) return undefined;
  return Object.freeze({
    target: url === '' ? { file: resolve(folder, usage.file) } : { url },
    flushSeconds: usage.flush_seconds,
    keepDays: usage.keep_days,
  });
}

/** Returns what prevents the file from being created; undefined for a usable one. */
export function findUsageFault({ target }: UsageConfiguration): string | undefined {
  if ('url' in target) return undefined;
  const folder = dirname(target.file);
  if (!isFolder(folder)) return `is in the folder ${folder}, which does not exist. Create it.`;
  if (isFolder(target.file)) return 'is a folder. Name a file.';
  return undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Reports a store without `usage`, and a URL that is none. */
export function checkUsageSettings(
  settings: Partial<Pick<Settings, 'usage' | 'usage_store_url'>> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const { usage, usage_store_url: url } = settings ?? {};
  if (typeof url !== 'string' || url === '') return;
  const report = (message: string) =>
    context.addIssue({ code: 'custom', path: ['usage_store_url'], input: url, message });
  if (!URL.canParse(url)) report('must be a URL such as postgres://user:password@host:5432/database');
  if (usage === undefined) report('requires the setting usage, such as "usage": {}');
}
