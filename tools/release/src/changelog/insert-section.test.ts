import { describe, expect, it } from 'vitest';
import { insertSection } from './insert-section.ts';

const changelog = '# a\n\n## 0.3.0\n\n### Minor Changes\n\n- New.\n\n## 0.2.0\n\n### The contract\n\nOld.\n';
const section = '### The contract\n\n- `GET /a` is new.';

describe('insertSection', () => {
  it('puts a section first under its release, once, and leaves the releases before alone', () => {
    const once =
      '# a\n\n## 0.3.0\n\n### The contract\n\n- `GET /a` is new.\n\n### Minor Changes\n\n- New.\n\n## 0.2.0\n\n### The contract\n\nOld.\n';
    expect(insertSection(changelog, '0.3.0', section)).toBe(once);
    expect(insertSection(once, '0.3.0', section)).toBe(once);
  });

  it.each([
    ['no section', '0.3.0', ''],
    ['no such release', '0.4.0', section],
    ['a release that tells of the contract', '0.2.0', section],
  ])('changes nothing for %s', (_, version, given) => {
    expect(insertSection(changelog, version, given)).toBe(changelog);
  });
});
