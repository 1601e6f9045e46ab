import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appNames, loadServerSettings } from '../configuration/load-app.ts';
import { rootFolder } from '../workspace.ts';
import { findTemplateDrift, findVariableDrift } from './settings-views.ts';

const read = (file: string) => readFileSync(join(rootFolder, file), 'utf8');
const servers = await Promise.all(appNames.map(loadServerSettings));
const [gateway, scheduling, staffProxy] = servers;
if (gateway === undefined || scheduling === undefined || staffProxy === undefined)
  throw new Error('A server is missing.');

/** Returns the example of a settings file on a page. */
const example = (page: string, heading: string) => {
  const part = page.slice(page.indexOf(heading));
  return /```json\n([\s\S]*?)```/.exec(part)?.[1] ?? '';
};

describe.each([
  ['the template of init', gateway, () => read('apps/gateway/templates/settings.json')],
  ['the configuration of npm start', gateway, () => read('apps/gateway/config/settings.json')],
  ['the example of the proxy', staffProxy, () => example(read('docs/configuration.md'), '## staff-proxy.json')],
  [
    'the example of the scheduling API',
    scheduling,
    () => /settings file \(`(\{.+?\})`\)/.exec(read('apps/scheduling/README.md'))?.[1] ?? '',
  ],
])('%s', (name, server, load) => {
  const text = load();

  test('pair settings ⇄ templates: every settings file in a document or template is valid', () => {
    expect(Object.keys(JSON.parse(text)).length).toBeGreaterThan(0);
    expect(findTemplateDrift(server, name, text)).toEqual([]);
  });

  test('mutation settings ⇄ templates: a setting is renamed only in the template', () => {
    expect(findTemplateDrift(server, name, text.replace('{', '{ "prot": 1,'))).toEqual([
      `${name} has prot, which is not a setting`,
    ]);
  });

  test('mutation settings ⇄ templates: a setting is removed only from the code', () => {
    const [first] = Object.keys(JSON.parse(text)).filter((key) => key !== '$schema');
    const less = { ...server, settings: server.settings.filter((setting) => setting.name !== first) };
    expect(findTemplateDrift(less, name, text)).toEqual([`${name} has ${first}, which is not a setting`]);
  });

  test('mutation settings ⇄ templates: a value in the template is invalid', () => {
    const wrong = JSON.stringify({ ...JSON.parse(text), port: 'eighty' });
    expect(findTemplateDrift(server, name, wrong)).toEqual([expect.stringContaining('is invalid')]);
  });
});

describe('environment names', () => {
  const files = globSync(
    [
      ...['*.md', 'docs/**/*.md', 'apps/*/README.md', 'packages/*/README.md', 'ops/**/*', 'deploy/**/*'],
      ...['tools/workspace/*.mjs', 'tools/acceptance/src/start-server*.ts'],
    ],
    { cwd: rootFolder, withFileTypes: true },
  ).filter((entry) => entry.isFile());
  const texts = files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const);

  test('pair settings ⇄ environment names: a server reads every variable in a document, an example or a script', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(texts.flatMap(([file, text]) => findVariableDrift(servers, file, text))).toEqual([]);
  });

  test('mutation settings ⇄ environment names: a variable is misspelt in a document', () => {
    expect(findVariableDrift(servers, 'README.md', 'export ROSTERGATE_PROXY_PROT=1')).toEqual([
      'README.md sets ROSTERGATE_PROXY_PROT, which no server reads',
    ]);
  });

  test('mutation settings ⇄ environment names: a setting is renamed only in the code', () => {
    const renamed = servers.map((server) => ({
      ...server,
      settings: server.settings.map((one) =>
        one.name === 'port' ? { ...one, variable: `${server.prefix}LISTEN` } : one,
      ),
    }));
    expect(texts.flatMap(([file, text]) => findVariableDrift(renamed, file, text))).toContain(
      'configuration.md sets ROSTERGATE_PORT, which no server reads',
    );
  });
});
