import { afterEach, describe, expect, it } from 'vitest';
import { createGit } from './contract/last-releases.ts';
import { findReleaseState, type PublishOptions, publishRelease, repositoryOf } from './publish.ts';
import { loadReleasePlan } from './release-plan.ts';
import { type Checkout, createCheckout, petsNodes, petsPackages } from './temporary-checkout.ts';

let checkout: Checkout;
afterEach(() => checkout.remove());

const manifestPath = 'packages/pets-client/package.json';
const repository = 'git+https://example.com/pets/pets.git';

/** Returns the calls in order, and the manifest as published. */
async function publish(options: Partial<PublishOptions> = {}, fails = false) {
  const done: string[] = [];
  const published: { manifest?: { repository?: unknown } } = {};
  const given = { hasProvenance: true, repository, publicNodes: petsNodes, ...options };
  const outcome = publishRelease(checkout.root, given, {
    async build() {
      done.push('build');
    },
    async publish(_root, env) {
      done.push(`publish ${JSON.stringify(env)}`);
      published.manifest = JSON.parse(checkout.read(manifestPath));
      if (fails) throw new Error('no registry');
    },
  });
  const message = await outcome.then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { done, message, published };
}

const versioned = () => {
  checkout = createCheckout('0.2.0');
  checkout.write('specs/pets/CHANGELOG.md', '# @pets/spec\n');
  for (const folder of ['client', 'server']) checkout.write(`packages/pets-${folder}/CHANGELOG.md`, '# Pets\n');
  checkout.commit();
};

describe('publishRelease', () => {
  it('builds, then publishes with provenance and the repository in each manifest, and restores the manifests', async () => {
    versioned();
    const { done, message, published } = await publish();
    expect(message).toBeUndefined();
    expect(done).toEqual(['build', 'publish {"PNPM_CONFIG_PROVENANCE":"true"}']);
    expect(published.manifest?.repository).toEqual({ type: 'git', url: repository, directory: 'packages/pets-client' });
    expect(checkout.git('status', '--porcelain')).toBe('');
  });

  it('restores the manifests when the registry fails', async () => {
    versioned();
    expect((await publish({}, true)).message).toBe('no registry');
    expect(checkout.git('status', '--porcelain')).toBe('');
  });

  it('publishes without provenance and repository by option', async () => {
    versioned();
    const { done, published } = await publish({ hasProvenance: false, repository: undefined });
    expect(done).toEqual(['build', 'publish {"PNPM_CONFIG_PROVENANCE":"false"}']);
    expect(published.manifest).not.toHaveProperty('repository');
    expect((await publish({ repository: undefined })).message).toContain('--no-provenance');
  });

  it.each([
    [
      'changesets are pending',
      () => checkout.changeset('words', { '@pets/spec': 'patch' }, 'Words.'),
      'pnpm release:version',
    ],
    ['everything is published', () => checkout.release(), 'nothing to do'],
    [
      'the contract is not announced',
      () => checkout.git('rm', '-q', 'specs/pets/CHANGELOG.md'),
      '@pets/spec is in no changeset',
    ],
  ])('builds and publishes nothing while %s', async (_, make, message) => {
    versioned();
    make();
    expect(await publish()).toMatchObject({ done: [], message: expect.stringContaining(message) });
  });
});

describe('findReleaseState', () => {
  it('is version while changesets are pending, publish while tags are missing, else none', async () => {
    checkout = createCheckout('0.2.0');
    const state = async () =>
      findReleaseState(createGit(checkout.root), await loadReleasePlan(checkout.root), petsPackages);
    expect(await state()).toBe('publish');
    checkout.release();
    expect(await state()).toBe('none');
    checkout.changeset('words', { '@pets/other': 'patch' }, 'Words.');
    expect(await state()).toBe('version');
    checkout.git('clean', '-fdq');
    checkout.git('tag', '-d', '@pets/other@0.2.0');
    expect(await state()).toBe('publish');
  });
});

describe('repositoryOf', () => {
  it('is the repository of the running workflow, and undefined elsewhere', () => {
    const env = { GITHUB_SERVER_URL: 'https://example.com', GITHUB_REPOSITORY: 'pets/pets' };
    expect(repositoryOf(env)).toBe(repository);
    expect(repositoryOf({ GITHUB_REPOSITORY: 'pets/pets' })).toBeUndefined();
  });
});
