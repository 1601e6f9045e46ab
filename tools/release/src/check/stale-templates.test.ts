import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findStaleTemplates, readTemplatePackages } from './stale-templates.ts';

const plan = (versions: Readonly<Record<string, readonly [version: string, nextVersion: string]>>) => ({
  changesets: 1,
  packages: new Map(
    Object.entries(versions).map(([name, [version, nextVersion]]) => {
      return [name, { version, nextVersion, isAnnounced: true }];
    }),
  ),
});

it.each([
  ['0.1.0', '0.2.0'],
  ['1.4.0', '2.0.0'],
])('requires a release of create-rostergate when new projects would not install %s → %s', (version, next) => {
  const stale = plan({ rostergate: [version, next], 'create-rostergate': ['0.1.0', '0.1.0'] });
  expect(findStaleTemplates(stale, ['rostergate'])).toEqual([
    `create-rostergate would go on to install rostergate ${version} when ${next} is out. Add "create-rostergate": patch to a changeset.`,
  ]);
  const released = plan({ rostergate: [version, next], 'create-rostergate': ['0.1.0', '0.1.1'] });
  expect(findStaleTemplates(released, ['rostergate'])).toEqual([]);
});

it('requires none for a version within the range, or of another package', () => {
  const fitting = {
    rostergate: ['0.1.0', '0.1.1'],
    other: ['0.1.0', '0.2.0'],
    'create-rostergate': ['0.1.0', '0.1.0'],
  };
  expect(findStaleTemplates(plan(fitting as never), ['rostergate'])).toEqual([]);
});

it('reads the packages of the examples of this workspace', () => {
  expect(readTemplatePackages(join(import.meta.dirname, '../../../..'))).toEqual([
    '@rostergate/scheduling',
    '@rostergate/staff-client',
    '@rostergate/staff-proxy',
    'rostergate',
  ]);
});
