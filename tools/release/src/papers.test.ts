import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { writePapers } from './papers.ts';
import { type Checkout, createCheckout } from './temporary-checkout.ts';

let checkout: Checkout;
afterEach(() => checkout.remove());

describe('writePapers', () => {
  it('writes notes, licenses and dependencies of each package tagged here, and of no other', async () => {
    checkout = createCheckout('0.2.0');
    checkout.write('docs/licenses.md', '# Licenses\n');
    checkout.write('specs/pets/CHANGELOG.md', '# @pets/spec\n\n## 0.2.0\n\n- Pets.\n\n## 0.1.0\n\n- Old.\n');
    checkout.release();
    checkout.git('tag', '-d', '@pets/other@0.2.0');
    const folder = join(checkout.root, 'papers');
    const made: string[] = [];
    const names = await writePapers(checkout.root, folder, async (_root, { manifest }, file) => {
      made.push(`${manifest.name} ${file.slice(folder.length)}`);
    });
    expect(names).toEqual(['@pets/client', '@pets/server', '@pets/spec']);
    expect(made).toEqual(['client', 'server', 'spec'].map((name) => `@pets/${name} /${name}/attached/sbom.cdx.json`));
    expect(readdirSync(folder)).toEqual(['client', 'server', 'spec']);
    const read = (path: string) => readFileSync(join(folder, path), 'utf8');
    expect(read('spec/tag')).toBe('@pets/spec@0.2.0\n');
    expect(read('spec/notes.md')).toBe('- Pets.\n');
    expect(read('client/notes.md')).toBe('\n');
    expect(read('client/attached/licenses.md')).toBe('# Licenses\n');
  });
});
