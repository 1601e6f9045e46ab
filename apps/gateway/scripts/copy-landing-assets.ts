/** Puts the files of the landing page beside the compiled module, so that the published package is whole. */
import { cp } from 'node:fs/promises';

await cp(new URL('../src/landing/assets/', import.meta.url), new URL('../dist/landing/assets/', import.meta.url), {
  recursive: true,
});
