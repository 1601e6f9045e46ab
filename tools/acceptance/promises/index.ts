import type { KeptPromise } from '../src/promises/define-promise.ts';
import { promise as reload } from './01-reload.ts';
import { promise as generations } from './02-generations.ts';
import { promise as badConfig } from './03-bad-config.ts';
import { promise as styles } from './04-edit-styles.ts';
import { promise as reloadLeaks } from './05-reload-leaks.ts';

/** All of them, in the order in which they are tried. */
export const promises: readonly KeptPromise[] = [reload, generations, badConfig, styles, reloadLeaks];
