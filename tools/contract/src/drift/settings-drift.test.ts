import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appNames, loadProgram, loadServerSettings } from '../configuration/load-app.ts';
import { rootFolder } from '../workspace.ts';
import {
  findSettingsDrift,
  helpOf,
  loadPage,
  viewOfHelp,
  viewOfPage,
  viewOfSchema,
  wordsOfHelp,
  wordsOfPage,
  wordsOfSchema,
} from './settings-views.ts';

describe.each(appNames)('%s', async (app) => {
  const { settings, parse } = await loadServerSettings(app);
  const page = loadPage(app);
  const checkPage = (text: string) => findSettingsDrift(settings, viewOfPage(app, text), wordsOfPage(app));
  const program = await loadProgram(app);
  const help = helpOf(program.commands.find((command) => command.name() === 'serve') as typeof program);
  const withOption = settings.filter(({ option }) => option !== undefined);
  const checkHelp = (text: string) => findSettingsDrift(withOption, viewOfHelp(text), wordsOfHelp);

  test('every default is a valid value of its setting', () => {
    for (const { name, default: preset } of settings) {
      if (preset !== undefined) expect(() => parse({ [name]: JSON.parse(preset) }), name).not.toThrow();
    }
    expect(() => parse({ port: 65_536 })).toThrow();
  });

  test('pair settings ⇄ docs: the page has every setting, with its type, bounds, default and description', () => {
    expect(settings.length).toBeGreaterThan(10);
    expect(checkPage(page)).toEqual([]);
  });

  test('mutation settings ⇄ docs: a setting is renamed only in the code', () => {
    const [first, ...others] = settings;
    const renamed = [{ ...first, name: 'bind', variable: 'X_BIND', option: '--bind' }, ...others] as typeof settings;
    expect(findSettingsDrift(renamed, viewOfPage(app, page), wordsOfPage(app))).toEqual([
      'host is described but is not a setting',
      'bind is a setting but is not described',
    ]);
  });

  test('mutation settings ⇄ docs: a default, a bound or a description is changed only on the page', () => {
    const port = settings.find(({ name }) => name === 'port');
    expect(checkPage(replaceAfter(page, '\n## ', `\`${port?.default}\``, '`1`'))).not.toEqual([]);
    const ports = settings.filter(({ name }) => /(^|_)port$/.test(name)).map(({ name }) => `${name} lacks: 0 to 65535`);
    expect(checkPage(page.replaceAll('0 to 65535', '0 to 99999'))).toEqual(ports);
    expect(checkPage(page.replaceAll('Port to listen on.', 'The port.'))).toEqual([`port lacks: ${port?.description}`]);
  });

  test('pair settings ⇄ --help: every setting except secrets is an option of serve, as in its schema', () => {
    expect(checkHelp(help)).toEqual([]);
  });

  test('mutation settings ⇄ --help: an option is removed, or a secret is added', () => {
    expect(checkHelp(help.replace(/^ {2}--port .*\n/m, ''))).toEqual(['port is a setting but is not described']);
    const [secret] = settings.filter(({ option }) => option === undefined);
    const shown = `${help}  --${secret?.name.replaceAll('_', '-')} <text>  ${secret?.description}\n`;
    expect(checkHelp(shown)).toEqual([`${secret?.name} is described but is not a setting`]);
  });

  test('mutation settings ⇄ --help: a default is changed only in the code', () => {
    const changed = withOption.map((setting) => (setting.name === 'port' ? { ...setting, default: '7' } : setting));
    expect(findSettingsDrift(changed, viewOfHelp(help), wordsOfHelp)).toEqual(['port lacks: default: 7)']);
  });
});

describe.each([
  ['gateway', 'settings'],
  ['staff-proxy', 'staff-proxy'],
] as const)('%s', async (app, file) => {
  const { settings } = await loadServerSettings(app);
  const path = join(rootFolder, 'apps', app, `schemas/${file}.schema.json`);
  const schema = JSON.parse(readFileSync(path, 'utf8'));
  const check = (changed: typeof schema) => findSettingsDrift(settings, viewOfSchema(changed), wordsOfSchema);

  test('pair settings ⇄ published schema: it has every setting with its default', () => {
    expect(check(schema)).toEqual([]);
  });

  test('mutation settings ⇄ published schema: a field is added, or a default is changed', () => {
    const { port, ...others } = schema.properties;
    expect(check({ properties: { ...schema.properties, prot: port } })).toEqual([
      'prot is described but is not a setting',
    ]);
    expect(check({ properties: { ...others, port: { ...port, default: 1 } } })).toHaveLength(1);
  });
});

function replaceAfter(text: string, start: string, what: string, by: string): string {
  const at = text.indexOf(start);
  return text.slice(0, at) + text.slice(at).replaceAll(what, by);
}
