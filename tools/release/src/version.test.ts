import { afterEach, describe, expect, it } from 'vitest';
import { runChangesets } from './run.ts';
import { type Checkout, createCheckout } from './temporary-checkout.ts';
import { versionRelease } from './version.ts';

let checkout: Checkout;
afterEach(() => checkout.remove());

const family = { '@pets/spec': 'minor', '@pets/client': 'minor', '@pets/server': 'minor' } as const;
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };

/** @returns how often the documents were regenerated */
async function version(): Promise<number> {
  let generated = 0;
  await versionRelease(checkout.root, {
    applyChangesets: (root) => runChangesets(root, ['version'], { isQuiet: true }),
    async generateSpecs() {
      generated++;
    },
  });
  return generated;
}

describe('versionRelease', () => {
  it('puts the contract changes before the changesets in the CHANGELOGs of spec, client and stubs', async () => {
    checkout = createCheckout('0.2.0');
    checkout.write('packages/pets-client/CHANGELOG.md', '# @pets/client\n\n## 0.2.0\n\nThe first.\n');
    checkout.release();
    checkout.edit(({ paths }) => {
      Object.assign(paths['/pets']?.get ?? {}, { parameters: [limit] });
      delete paths['/pets']?.post;
    });
    checkout.changeset('paging', family, 'Lists come in parts.\n\nAsk for `limit` of them.');
    checkout.commit();
    expect(await version()).toBe(1);
    const section = `### The contract

Before 1.0 a minor version may break callers: read the first list.

**Breaks callers**

- \`POST /pets\` is gone.

**New**

- \`GET /pets\` now accepts the query parameter \`limit\`.

### Minor Changes

- Lists come in parts.

  Ask for \`limit\` of them.
`;
    expect(checkout.read('specs/pets/CHANGELOG.md')).toBe(`# @pets/spec\n\n## 0.3.0\n\n${section}`);
    expect(checkout.read('packages/pets-client/CHANGELOG.md')).toBe(
      `# @pets/client\n\n## 0.3.0\n\n${section}\n### Patch Changes\n\n- Goes with \`@pets/spec\` 0.3.0.\n\n## 0.2.0\n\nThe first.\n`,
    );
    expect(checkout.read('packages/pets-server/CHANGELOG.md')).toContain(section);
  });

  it('sets info.version of the contract and changes nothing else in its source', async () => {
    checkout = createCheckout('0.2.0');
    checkout.release();
    const before = checkout.read('specs/pets/openapi.yaml');
    checkout.changeset('words', { '@pets/spec': 'patch' }, 'Better words.');
    await version();
    expect(checkout.read('specs/pets/openapi.yaml')).toBe(before.replace('0.2.0', '0.2.1'));
  });

  it('leaves contract and CHANGELOG unchanged for a release of another package', async () => {
    checkout = createCheckout('0.2.0');
    checkout.release();
    checkout.changeset('words', { '@pets/other': 'minor' }, 'Something else.');
    checkout.commit();
    expect(await version()).toBe(0);
    const paths = checkout
      .git('status', '--porcelain')
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(3));
    expect(paths.sort()).toEqual(['.changeset/words.md', 'packages/other/CHANGELOG.md', 'packages/other/package.json']);
  });

  it('counts the operations of a first release', async () => {
    checkout = createCheckout('0.1.0');
    checkout.changeset('first', family, 'The first release.');
    checkout.commit();
    await version();
    expect(checkout.read('specs/pets/CHANGELOG.md')).toBe(
      '# @pets/spec\n\n## 0.2.0\n\n### The contract\n\n**Pets** begins with 2 operations.\n\n### Minor Changes\n\n- The first release.\n',
    );
  });
});
