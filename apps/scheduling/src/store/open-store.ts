import type { Settings } from '../settings.ts';
import { type OpenStore, openSqliteStore } from './sqlite-store.ts';

export interface OpenStoreDependencies {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Opens the database that the settings name, brought to the newest shape. */
export function openStore({ database_file }: Settings, { clock }: OpenStoreDependencies): Promise<OpenStore> {
  return openSqliteStore({ file: database_file, clock });
}
