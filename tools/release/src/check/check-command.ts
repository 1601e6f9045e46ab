import { ReleaseFailure } from '../release-failure.ts';
import { checkRelease } from './check-release.ts';
import { writeChangesets } from './draft-changeset.ts';

/** `check`: fails where a change is not announced as it should be. */
export async function runCheck(root: string): Promise<void> {
  const { faults, summary } = await checkRelease(root);
  for (const fault of faults) console.error(`${fault}\n`);
  console.log(summary);
  if (faults.length > 0) throw new ReleaseFailure('Not ready to be released.');
}

/** `changeset`: writes what `check` misses, to be put in better words. */
export async function runChangeset(root: string): Promise<void> {
  const { changes, lowBumps } = await checkRelease(root);
  const written = writeChangesets(root, changes, lowBumps);
  console.log(written.length === 0 ? 'Every change of a contract is announced.' : `written: ${written.join(', ')}`);
}
