import type { TlsPair } from '@rostergate/runtime/edge';
import type { KeysFile } from '../keys/keys-file.ts';
import type { Settings } from '../settings.ts';

/** Everything that the files and the environment say, read, checked and frozen. */
export interface Configuration {
  readonly settings: Settings;
  readonly keysFile: KeysFile;
  /** Both in PEM; undefined where plain HTTP is served. */
  readonly tls: TlsPair | undefined;
}

/** How much there is of what is served, for logs and verdicts. */
export function sizesOf({ keysFile }: Pick<Configuration, 'keysFile'>) {
  return { accounts: keysFile.accounts.size, keys: keysFile.keys.length };
}
