import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readExamples } from './read-examples.ts';
import type { Templates } from './template.ts';

/** Returns the templates that the build wrote beside this file; in a checkout, the examples themselves. */
export function loadTemplates(): Templates {
  const built = new URL('templates.json', import.meta.url);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8')) as Templates;
  return readExamples(fileURLToPath(new URL('../../../examples/', import.meta.url)));
}
