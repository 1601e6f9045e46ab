import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../workspace.ts';
import { collectGuarantees, type Guarantee } from './collect-guarantees.ts';

/** What the tests of some files promise of these subjects, by file and then in the order of each file. */
export function loadGuarantees(patterns: readonly string[], subjects: readonly string[]): Guarantee[] {
  const files = globSync(patterns, { cwd: rootFolder }).sort();
  return files.flatMap((file) =>
    collectGuarantees({ file, source: readFileSync(join(rootFolder, file), 'utf8') }, subjects),
  );
}
