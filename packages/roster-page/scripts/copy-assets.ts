/** Puts the page's files beside the compiled module. */
import { cp, rm } from 'node:fs/promises';

const target = new URL('../dist/assets/', import.meta.url);
await rm(target, { recursive: true, force: true });
await cp(new URL('../src/assets/', import.meta.url), target, { recursive: true });
