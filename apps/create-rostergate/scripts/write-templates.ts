/** Writes the examples beside the compiled program, with the versions of this workspace in place of `latest`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readExamples } from '../src/read-examples.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const versions = new Map(
  globSync('{apps,packages}/*/package.json', { cwd: root }).map((path): [string, string] => {
    const { name, version } = JSON.parse(readFileSync(root + path, 'utf8'));
    return [name, version];
  }),
);

const templates = Object.entries(readExamples(`${root}examples`)).map(([template, files]) => {
  const manifest = files['package.json']?.replaceAll(/"([^"]+)": "latest"/g, (_, name: string) => {
    const version = versions.get(name);
    if (version === undefined) throw new Error(`examples/${template} depends on ${name}, which is no package here.`);
    return `"${name}": "^${version}"`;
  });
  return [template, { ...files, 'package.json': manifest }];
});
writeFileSync(new URL('../dist/templates.json', import.meta.url), JSON.stringify(Object.fromEntries(templates)));
