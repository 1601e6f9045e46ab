import { afterEach, describe, expect, it } from 'vitest';
import { ReleaseFailure } from '../run.ts';
import { type Checkout, createCheckout, type PetsDocument, petsNodes } from '../temporary-checkout.ts';
import { checkRelease, writeChangesets } from './check-release.ts';

const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };

/** An edit of the contract, its rating, and the lowest sufficient bump above 0.2.0 and above 1.2.0. */
const edits: readonly (readonly [
  what: string,
  rating: string,
  early: string,
  late: string,
  (document: PetsDocument) => void,
])[] = [
  [
    'a new parameter',
    'minor',
    'minor',
    'minor',
    ({ paths }) => Object.assign(paths['/pets']?.get ?? {}, { parameters: [limit] }),
  ],
  [
    'a required parameter',
    'major',
    'minor',
    'major',
    ({ paths }) => Object.assign(paths['/pets']?.get ?? {}, { parameters: [{ ...limit, required: true }] }),
  ],
  ['a removed operation', 'major', 'minor', 'major', ({ paths }) => delete paths['/pets']?.post],
  [
    'another description',
    'patch',
    'patch',
    'patch',
    ({ info }) => Object.assign(info, { description: 'All of them.' }),
  ],
];

const bumps = ['none', 'patch', 'minor', 'major'] as const;
const family = (bump: (typeof bumps)[number]) => ({ '@pets/spec': bump, '@pets/client': bump, '@pets/server': bump });

let checkout: Checkout;
const released = (version: string): Checkout => {
  checkout = createCheckout(version);
  checkout.release();
  return checkout;
};
const check = () => checkRelease(checkout.root, petsNodes);
afterEach(() => checkout.remove());

describe('checkRelease', () => {
  it.each(edits)(
    'requires for %s the bump of its rating, lower before 1.0, also for clients and stubs',
    async (_what, rating, early, late, edit) => {
      for (const [version, needed] of [
        ['0.2.0', early],
        ['1.2.0', late],
      ] as const) {
        released(version).edit(edit);
        const at = bumps.indexOf(needed as never);
        for (const bump of bumps.slice(at - 1, at + 1)) {
          if (bump !== 'none') checkout.changeset('words', family(bump), 'Words.');
          const { changes, lowBumps, faults } = await check();
          const isEnough = bump === needed;
          expect(changes.map((change) => change.rating)).toEqual([rating]);
          expect(
            lowBumps.map(({ name }) => name),
            `${bump} above ${version}`,
          ).toEqual(isEnough ? [] : Object.keys(family(bump)));
          expect(faults.length).toBe(isEnough ? 0 : 1);
        }
        checkout.remove();
      }
    },
  );

  it('requires nothing if the contract has not changed', async () => {
    released('0.2.0').write('packages/other/src/index.ts', 'export {};\n');
    checkout.commit();
    const { changes, faults, summary } = await check();
    expect(changes.map(({ rating }) => rating)).toEqual(['none']);
    expect(faults).toEqual([]);
    expect(summary).toBe('pets none since 0.2.0; 0 changesets, 0 faults');
  });

  it('requires a changeset for a client that would otherwise get only a patch', async () => {
    released('0.2.0').edit(edits[0]?.[4] as never);
    checkout.changeset('words', { '@pets/spec': 'minor', '@pets/server': 'minor' }, 'Words.');
    const { lowBumps, faults } = await check();
    expect(lowBumps).toEqual([expect.objectContaining({ name: '@pets/client', needed: 'minor', planned: 'patch' })]);
    expect(faults.join()).toContain('@pets/client needs minor above 0.2.0: its changesets make patch.');
  });

  it('lists the changes, breaking ones first, and the command to run', async () => {
    released('0.2.0').edit((document) => {
      for (const edit of [edits[0], edits[2]]) edit?.[4](document);
    });
    expect((await check()).faults).toEqual([
      [
        'The pets contract has changed since 0.2.0; the change is rated major (before 1.0 that is a minor bump):',
        '  breaking   POST /pets: is gone',
        '  addition   GET /pets, query limit: the query parameter limit is new',
        '@pets/spec needs minor above 0.2.0: no changeset names it.',
        '@pets/client needs minor above 0.2.0: no changeset names it.',
        '@pets/server needs minor above 0.2.0: no changeset names it.',
        'Run pnpm release:changeset to write the missing changesets, then edit their text.',
      ].join('\n'),
    ]);
  });

  it('accepts the changesets that this command writes', async () => {
    released('0.2.0').edit(edits[0]?.[4] as never);
    const { changes, lowBumps } = await check();
    expect(writeChangesets(checkout.root, changes, lowBumps)).toEqual(['.changeset/pets-contract.md']);
    expect(checkout.read('.changeset/pets-contract.md')).toBe(
      '---\n"@pets/spec": minor\n"@pets/client": minor\n"@pets/server": minor\n---\n\n`GET /pets` now accepts the query parameter `limit`.\n',
    );
    expect((await check()).faults).toEqual([]);
  });

  it('counts a version already in the manifests, and compares with it once it is released', async () => {
    released('0.2.0').edit(edits[0]?.[4] as never);
    checkout.setVersion('0.3.0');
    checkout.commit();
    expect((await check()).faults).toEqual([]);
    checkout.release();
    const { changes, summary } = await check();
    expect(changes[0]?.rating).toBe('none');
    expect(summary).toContain('pets none since 0.3.0');
  });

  it('compares with the highest version, not the last by name or time', async () => {
    released('0.9.0').edit(edits[0]?.[4] as never);
    checkout.setVersion('0.10.0');
    checkout.release();
    checkout.git('tag', '@pets/spec@0.9.1');
    checkout.git('tag', '@pets/spec@next');
    expect((await check()).summary).toContain('pets none since 0.10.0');
  });

  it('requires a changeset of any size for the first release', async () => {
    checkout = createCheckout('0.1.0');
    expect((await check()).lowBumps.map(({ name }) => name)).toEqual(Object.keys(family('none')));
    checkout.changeset('first', family('patch'), 'The first.');
    expect((await check()).faults).toEqual([]);
  });

  it('rejects a clone without the tags of its releases', async () => {
    released('0.2.0').write('specs/pets/CHANGELOG.md', '# Pets\n');
    checkout.commit();
    checkout.git('clone', '-q', '--depth', '1', '--no-tags', `file://${checkout.root}`, 'shallow');
    await expect(checkRelease(`${checkout.root}/shallow`, petsNodes)).rejects.toThrow('git fetch --unshallow --tags');
  });

  it.each([
    ['of an unknown package', '---\n"@pets/dog": minor\n---\n\nWords.\n', '@pets/dog'],
    ['without front matter', 'Words alone.\n', 'Words alone.'],
  ])('rejects a changeset %s and names it', async (_, text, name) => {
    released('0.2.0').write('.changeset/words.md', text);
    const error = await check().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ReleaseFailure);
    expect(error).toMatchObject({ message: expect.stringContaining(name) });
  });

  it('reports a source whose info.version differs from its package', async () => {
    released('0.2.0').write(
      'specs/pets/openapi.yaml',
      checkout.read('specs/pets/openapi.yaml').replace('0.2.0', '0.2.1'),
    );
    expect((await check()).faults).toEqual([
      expect.stringMatching(/^specs\/pets\/openapi\.yaml: info\.version is 0\.2\.1, .* 0\.2\.0\./),
    ]);
  });

  it('reports a manifest that differs from the list of public packages', async () => {
    released('0.2.0');
    const { '@pets/other': _, ...nodes } = petsNodes;
    const faults = async (given: Record<string, string>) => (await checkRelease(checkout.root, given)).faults;
    expect(await faults(nodes)).toEqual([
      'packages/other/package.json: @pets/other is not a public package: set "private": true.',
    ]);
    expect(await faults({ ...petsNodes, '@pets/new': '>=20' })).toEqual([
      '@pets/new is to be published, but does not exist.',
    ]);
    expect(await faults({ ...petsNodes, '@pets/client': '>=22.19' })).toEqual([
      'packages/pets-client/package.json: needs "engines": { "node": ">=22.19" }.',
    ]);
    const path = 'packages/other/package.json';
    checkout.write(path, checkout.read(path).replace('"provenance": true', '"provenance": false'));
    expect(await faults(petsNodes)).toEqual([`${path}: needs "publishConfig": { "provenance": true }.`]);
  });
});
